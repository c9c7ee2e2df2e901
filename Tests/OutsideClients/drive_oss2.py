"""Drives oss2, Aliyun's first Python client of OSS, with signature V1 or V4."""

import os

import oss2
from driving import CONTENT_TYPE, METADATA, check, check_interrupted, check_refused, main, scenario, send

HEADERS = {"Content-Type": CONTENT_TYPE, **{"x-oss-meta-" + name: value for name, value in METADATA.items()}}


def connect(run, access_key=None, secret_key=None, token="", bucket=None):
    keys = access_key or run.access_key, secret_key or run.secret_key
    if run.signature == "v4":
        auth = oss2.ProviderAuthV4(oss2.credentials.StaticCredentialsProvider(*keys, token))
    elif token:
        auth = oss2.StsAuth(*keys, token)
    else:
        auth = oss2.Auth(*keys)
    return oss2.Bucket(
        auth, run.endpoint, bucket or run.bucket, region=run.region, is_path_style=run.addressing == "path",
        is_verify_object_strict=False)


def refusal(error):
    return error.status, error.code


@scenario("put")
def put(run):
    bucket = connect(run)
    result = bucket.put_object_from_file(run.key, run.file, headers=HEADERS)
    check(result.status == 200 and result.crc is not None, "the answer has no CRC-64")
    head = bucket.head_object(run.key)
    check(head.content_length == run.size and head.etag == result.etag, "HEAD tells of another object")
    check(head.content_type == CONTENT_TYPE and head.headers["x-oss-meta-author"] == "somebody", "attributes are lost")
    return "client compared the CRC-64"


@scenario("multipart")
def multipart(run):
    bucket = connect(run)
    upload = bucket.init_multipart_upload(run.key, headers=HEADERS).upload_id
    parts = []
    for number, content in run.parts():
        result = bucket.upload_part(run.key, upload, number, content)
        parts.append(oss2.models.PartInfo(number, result.etag, size=len(content), part_crc=result.crc))
    bucket.complete_multipart_upload(run.key, upload, parts)
    check(bucket.head_object(run.key).content_length == run.size, "HEAD tells of another length")
    return "client compared the CRC-64"


@scenario("resumable-upload")
def resumable_upload(run):
    bucket = connect(run)
    store = oss2.ResumableStore(root=run.directory)

    def upload():
        oss2.resumable_upload(
            bucket, run.key, run.file, store=store, headers=HEADERS, multipart_threshold=run.part_size,
            part_size=run.part_size, num_threads=1)

    check_interrupted(upload)
    upload()
    return "resumed"


@scenario("copy")
def copy(run):
    bucket = connect(run)
    etag = connect(run, bucket=run.source_bucket).head_object(run.source_key).etag
    failed = check_refused(
        lambda: bucket.copy_object(
            run.source_bucket, run.source_key, run.key, headers={"x-oss-copy-source-if-match": "0" * 32}),
        oss2.exceptions.ServerError, refusal)
    check(failed.startswith("412"), f"the condition was answered with {failed}")
    result = bucket.copy_object(
        run.source_bucket, run.source_key, run.key,
        headers={"x-oss-copy-source-if-match": f'"{etag}"', "x-oss-metadata-directive": "REPLACE", **HEADERS})
    check(result.etag == etag, "the copy has another ETag")
    return "under a condition"


@scenario("part-copy")
def part_copy(run):
    bucket = connect(run)
    upload = bucket.init_multipart_upload(run.key, headers=HEADERS).upload_id
    parts = []
    for number, first, last in run.ranges:
        result = bucket.upload_part_copy(run.source_bucket, run.source_key, (first, last), run.key, upload, number)
        parts.append(oss2.models.PartInfo(number, result.etag))
    bucket.complete_multipart_upload(run.key, upload, parts)


@scenario("list-parts")
def list_parts(run):
    bucket = connect(run)
    upload = bucket.init_multipart_upload(run.key).upload_id
    sent = [bucket.upload_part(run.key, upload, number, b"%d" % number).etag for number in range(1, 6)]
    listed = list(oss2.PartIterator(bucket, run.key, upload, max_parts=2))
    check([part.part_number for part in listed] == [1, 2, 3, 4, 5], f"listed {listed}")
    check([part.etag for part in listed] == sent, "listed other ETags than were answered")
    check(all(part.size == 1 for part in listed), "sizes are wrong")
    return "3 pages"


@scenario("range-get")
def range_get(run):
    bucket = connect(run, bucket=run.source_bucket)
    result = bucket.get_object(run.source_key, byte_range=(1000, 200_999))
    check(result.status == 206 and result.content_range == f"bytes 1000-200999/{run.size}", "not the range")
    run.save(result.read())


@scenario("resumable-download")
def resumable_download(run):
    bucket = connect(run, bucket=run.source_bucket)
    store = oss2.ResumableDownloadStore(root=run.directory)

    def download():
        oss2.resumable_download(
            bucket, run.source_key, run.download, store=store, multiget_threshold=run.part_size,
            part_size=run.part_size, num_threads=1)

    check_interrupted(download)
    download()
    return "resumed"


@scenario("delete")
def delete(run):
    bucket = connect(run)
    bucket.put_object(run.key, b"content")
    check(bucket.object_exists(run.key), "it is not there")
    check(bucket.delete_object(run.key).status == 204, "it was not deleted")
    check(not bucket.object_exists(run.key), "it is still there")
    return check_refused(lambda: bucket.get_object(run.key), oss2.exceptions.NoSuchKey, refusal)


@scenario("presign")
def presign(run):
    bucket = connect(run)
    headers = {"Content-Type": CONTENT_TYPE}
    with open(run.file, "rb") as file:
        send("PUT", bucket.sign_url("PUT", run.key, 300, headers=headers, slash_safe=True), file.read(), headers)
    run.save(send("GET", bucket.sign_url("GET", run.key, 300, slash_safe=True)))
    return "PUT and GET"


@scenario("abort")
def abort(run):
    bucket = connect(run)
    upload = bucket.init_multipart_upload(run.key).upload_id
    bucket.upload_part(run.key, upload, 1, os.urandom(1000))
    check([found.upload_id for found in oss2.MultipartUploadIterator(bucket)] == [upload], "the upload is not listed")
    bucket.abort_multipart_upload(run.key, upload)
    check(not list(oss2.MultipartUploadIterator(bucket)), "the upload is still listed")
    return check_refused(lambda: bucket.list_parts(run.key, upload), oss2.exceptions.NoSuchUpload, refusal)


@scenario("wrong-secret")
def wrong_secret(run):
    bucket = connect(run, secret_key="not the secret")
    return check_refused(
        lambda: bucket.put_object(run.key, b"content"), oss2.exceptions.SignatureDoesNotMatch, refusal)


@scenario("session-token")
def session_token(run):
    keys = run.session["accessKey"], run.session["secretKey"]
    right = connect(run, *keys, run.session["token"])
    right.put_object(run.key, b"content")
    run.save(send("GET", right.sign_url("GET", run.key, 300, slash_safe=True)))
    wrong = connect(run, *keys, "not the token")
    return check_refused(lambda: wrong.put_object("other", b"x"), oss2.exceptions.ServerError, refusal)


if __name__ == "__main__":
    main("oss2")
