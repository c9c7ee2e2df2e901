"""Drives alibabacloud-oss-v2, Aliyun's second Python client of OSS, with signature V1 or V4."""

import alibabacloud_oss_v2 as oss
from driving import CONTENT_TYPE, METADATA, check, check_interrupted, check_refused, main, scenario, send

ATTRIBUTES = {"content_type": CONTENT_TYPE, "metadata": METADATA}


def connect(run, access_key=None, secret_key=None, token=None):
    provider = oss.credentials.StaticCredentialsProvider(
        access_key or run.access_key, secret_key or run.secret_key, token)
    return oss.Client(
        oss.config.Config(
            region=run.region, endpoint=run.endpoint, signature_version=run.signature, credentials_provider=provider,
            use_path_style=run.addressing == "path", retry_max_attempts=1))


def refusal(error):
    cause = error.unwrap()
    return cause.status_code, cause.code


def refused(call):
    return check_refused(call, oss.exceptions.OperationError, refusal)


def create(client, run, **attributes):
    request = oss.InitiateMultipartUploadRequest(bucket=run.bucket, key=run.key, **attributes)
    return client.initiate_multipart_upload(request).upload_id


def complete(client, run, upload, etags):
    parts = [oss.UploadPart(part_number=number, etag=etag) for number, etag in enumerate(etags, 1)]
    return client.complete_multipart_upload(
        oss.CompleteMultipartUploadRequest(
            bucket=run.bucket, key=run.key, upload_id=upload,
            complete_multipart_upload=oss.CompleteMultipartUpload(parts=parts)))


def put_part(client, run, upload, number, content):
    return client.upload_part(
        oss.UploadPartRequest(bucket=run.bucket, key=run.key, upload_id=upload, part_number=number, body=content))


def check_head(client, run):
    head = client.head_object(oss.HeadObjectRequest(bucket=run.bucket, key=run.key))
    check(head.content_length == run.size, "HEAD tells of another length")
    check(head.content_type == CONTENT_TYPE and head.metadata == METADATA, f"attributes are {head.metadata}")
    return head


@scenario("put")
def put(run):
    client = connect(run)
    result = client.put_object_from_file(oss.PutObjectRequest(bucket=run.bucket, key=run.key, **ATTRIBUTES), run.file)
    head = check_head(client, run)
    check(head.etag == result.etag and head.hash_crc64 == result.hash_crc64, "HEAD tells of another object")
    return "client compared the CRC-64"


@scenario("multipart")
def multipart(run):
    client = connect(run)
    upload = create(client, run, **ATTRIBUTES)
    etags = [put_part(client, run, upload, number, content).etag for number, content in run.parts()]
    result = complete(client, run, upload, etags)
    check(result.key == run.key and result.bucket == run.bucket, f"Complete names {result.bucket}/{result.key}")
    check(check_head(client, run).hash_crc64 == result.hash_crc64, "HEAD tells of another CRC-64")


@scenario("resumable-upload")
def resumable_upload(run):
    client = connect(run)

    def upload():
        uploader = client.uploader(
            part_size=run.part_size, parallel_num=1, leave_parts_on_error=True, enable_checkpoint=True,
            checkpoint_dir=run.directory)
        return uploader.upload_file(oss.PutObjectRequest(bucket=run.bucket, key=run.key, **ATTRIBUTES), run.file)

    check_interrupted(upload)
    upload()
    return "resumed"


def copy_request(run, **more):
    return oss.CopyObjectRequest(
        bucket=run.bucket, key=run.key, source_bucket=run.source_bucket, source_key=run.source_key, **more)


@scenario("copy")
def copy(run):
    client = connect(run)
    source = client.head_object(oss.HeadObjectRequest(bucket=run.source_bucket, key=run.source_key))
    failed = refused(lambda: client.copy_object(copy_request(run, if_match="0" * 32)))
    check(failed.startswith("412"), f"the condition was answered with {failed}")
    result = client.copy_object(
        copy_request(run, if_match=source.etag, metadata_directive="REPLACE", **ATTRIBUTES))
    check(result.etag == source.etag, f"the copy has ETag {result.etag} instead of {source.etag}")
    check_head(client, run)
    return "under a condition"


@scenario("part-copy")
def part_copy(run):
    client = connect(run)
    upload = create(client, run, **ATTRIBUTES)
    etags = []
    for number, first, last in run.ranges:
        request = oss.UploadPartCopyRequest(
            bucket=run.bucket, key=run.key, upload_id=upload, part_number=number, source_bucket=run.source_bucket,
            source_key=run.source_key, source_range=f"bytes={first}-{last}")
        etags.append(client.upload_part_copy(request).etag)
    complete(client, run, upload, etags)
    check_head(client, run)


@scenario("file-copy")
def file_copy(run):
    client = connect(run)
    copier = client.copier(
        part_size=run.part_size, parallel_num=2, multipart_copy_threshold=run.part_size, disable_shallow_copy=True)
    copier.copy(copy_request(run, metadata_directive="REPLACE", **ATTRIBUTES))
    check_head(client, run)
    return "not resumable"


@scenario("list-parts")
def list_parts(run):
    client = connect(run)
    upload = create(client, run)
    sent = [put_part(client, run, upload, number, b"%d" % number).etag for number in range(1, 6)]
    pages = list(
        client.list_parts_paginator(limit=2).iter_page(
            oss.ListPartsRequest(bucket=run.bucket, key=run.key, upload_id=upload)))
    listed = [part for page in pages for part in page.parts]
    check([part.part_number for part in listed] == [1, 2, 3, 4, 5], "not the parts that were sent")
    check([part.etag for part in listed] == sent, "listed other ETags than were answered")
    check(all(part.size == 1 and part.hash_crc64 for part in listed), "sizes or sums are missing")
    return f"{len(pages)} pages"


@scenario("range-get")
def range_get(run):
    request = oss.GetObjectRequest(bucket=run.source_bucket, key=run.source_key, range_header="bytes=1000-200999")
    result = connect(run).get_object(request)
    check(result.content_range == f"bytes 1000-200999/{run.size}", f"got {result.content_range}")
    run.save(result.body.content)


@scenario("resumable-download")
def resumable_download(run):
    client = connect(run)

    def download():
        downloader = client.downloader(
            part_size=run.part_size, parallel_num=1, use_temp_file=True, enable_checkpoint=True,
            checkpoint_dir=run.directory, verify_data=True)
        request = oss.GetObjectRequest(bucket=run.source_bucket, key=run.source_key)
        return downloader.download_file(request, run.download)

    check_interrupted(download)
    download()
    return "resumed"


@scenario("delete")
def delete(run):
    client = connect(run)
    client.put_object(oss.PutObjectRequest(bucket=run.bucket, key=run.key, body=b"content"))
    check(client.is_object_exist(run.bucket, run.key), "it is not there")
    client.delete_object(oss.DeleteObjectRequest(bucket=run.bucket, key=run.key))
    check(not client.is_object_exist(run.bucket, run.key), "it is still there")
    return refused(lambda: client.get_object(oss.GetObjectRequest(bucket=run.bucket, key=run.key)))


@scenario("presign")
def presign(run):
    client = connect(run)
    signed = client.presign(oss.PutObjectRequest(bucket=run.bucket, key=run.key, content_type=CONTENT_TYPE))
    with open(run.file, "rb") as file:
        send(signed.method, signed.url, file.read(), signed.signed_headers)
    signed = client.presign(oss.GetObjectRequest(bucket=run.bucket, key=run.key))
    run.save(send(signed.method, signed.url, headers=signed.signed_headers))
    return "PUT and GET"


@scenario("abort")
def abort(run):
    client = connect(run)
    upload = create(client, run)
    put_part(client, run, upload, 1, b"content")

    def uploads():
        return client.list_multipart_uploads(oss.ListMultipartUploadsRequest(bucket=run.bucket)).uploads or []

    check([(found.key, found.upload_id) for found in uploads()] == [(run.key, upload)], "the upload is not listed")
    client.abort_multipart_upload(
        oss.AbortMultipartUploadRequest(bucket=run.bucket, key=run.key, upload_id=upload))
    check(not uploads(), "the upload is still listed")
    return refused(
        lambda: client.list_parts(oss.ListPartsRequest(bucket=run.bucket, key=run.key, upload_id=upload)))


@scenario("wrong-secret")
def wrong_secret(run):
    client = connect(run, secret_key="not the secret")
    return refused(lambda: client.put_object(oss.PutObjectRequest(bucket=run.bucket, key=run.key, body=b"content")))


@scenario("session-token")
def session_token(run):
    keys = run.session["accessKey"], run.session["secretKey"]
    right = connect(run, *keys, run.session["token"])
    right.put_object(oss.PutObjectRequest(bucket=run.bucket, key=run.key, body=b"content"))
    run.save(send("GET", right.presign(oss.GetObjectRequest(bucket=run.bucket, key=run.key)).url))
    wrong = connect(run, *keys, "not the token")
    return refused(lambda: wrong.put_object(oss.PutObjectRequest(bucket=run.bucket, key="other", body=b"x")))


@scenario("token-in-url")
def token_in_url(run):
    """With signature V1 the client sends the token of a header as `security-token`, and not by the name of the manual."""
    client = connect(run, run.session["accessKey"], run.session["secretKey"], run.session["token"])
    signed = client.presign(oss.PutObjectRequest(bucket=run.bucket, key=run.key))
    send("PUT", signed.url, b"content", {"Content-Type": "", **signed.signed_headers})
    run.save(send("GET", client.presign(oss.GetObjectRequest(bucket=run.bucket, key=run.key)).url))
    return refused(lambda: client.put_object(oss.PutObjectRequest(bucket=run.bucket, key="other", body=b"x")))


if __name__ == "__main__":
    main("alibabacloud-oss-v2")
