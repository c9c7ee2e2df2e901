"""Drives tos, Volcano Engine's Python client of TOS: JSON, TOS4-HMAC-SHA256.

It puts the bucket into the host's name, or nowhere at a custom domain; it has no path style. After a resume it lists the parts
for Complete in the order in which they came, such as 1, 2, 4, 5, 3: the server is told to bear that.
"""

import os

import tos
from driving import CONTENT_TYPE, METADATA, check, check_interrupted, check_refused, main, scenario, send

ATTRIBUTES = {"content_type": CONTENT_TYPE, "meta": METADATA}


def connect(run, access_key=None, secret_key=None, token=None):
    return tos.TosClientV2(
        access_key or run.access_key, secret_key or run.secret_key, run.endpoint, run.region, security_token=token,
        is_custom_domain=run.addressing == "domain", max_retry_count=0)


def refusal(error):
    return error.status_code, error.code


def refused(call):
    return check_refused(call, tos.exceptions.TosServerError, refusal)


def check_head(client, run):
    head = client.head_object(run.bucket, run.key)
    check(head.content_length == run.size, "HEAD tells of another length")
    check(head.content_type == CONTENT_TYPE and head.meta == METADATA, f"attributes are {head.meta}")
    return head


@scenario("put")
def put(run):
    client = connect(run)
    result = client.put_object_from_file(run.bucket, run.key, run.file, **ATTRIBUTES)
    head = check_head(client, run)
    check(head.etag == result.etag and head.hash_crc64_ecma == result.hash_crc64_ecma, "HEAD tells of another object")
    return "client compared the CRC-64"


@scenario("multipart")
def multipart(run):
    client = connect(run)
    upload = client.create_multipart_upload(run.bucket, run.key, **ATTRIBUTES).upload_id
    parts = [
        client.upload_part(run.bucket, run.key, upload, number, content=content) for number, content in run.parts()
    ]
    result = client.complete_multipart_upload(run.bucket, run.key, upload, parts)
    check((result.bucket, result.key) == (run.bucket, run.key), f"Complete names {result.bucket}/{result.key}")
    check(check_head(client, run).hash_crc64_ecma == result.hash_crc64_ecma, "HEAD tells of another CRC-64")


@scenario("resumable-upload")
def resumable_upload(run):
    client = connect(run)

    def upload():
        return client.upload_file(
            run.bucket, run.key, run.file, part_size=run.part_size, task_num=1, enable_checkpoint=True,
            checkpoint_file=os.path.join(run.directory, "checkpoints"), **ATTRIBUTES)

    check_interrupted(upload)
    upload()
    check_head(client, run)
    return "resumed, its parts out of order"


@scenario("copy")
def copy(run):
    client = connect(run)
    etag = client.head_object(run.source_bucket, run.source_key).etag
    source = run.bucket, run.key, run.source_bucket, run.source_key
    failed = refused(lambda: client.copy_object(*source, copy_source_if_match='"' + "0" * 32 + '"'))
    check(failed.startswith("412"), f"the condition was answered with {failed}")
    result = client.copy_object(
        *source, copy_source_if_match=etag, metadata_directive=tos.MetadataDirectiveType.Metadata_Directive_Replace,
        **ATTRIBUTES)
    check(result.etag.strip('"') == etag.strip('"'), f"the copy has ETag {result.etag} instead of {etag}")
    check_head(client, run)
    return "under a condition"


@scenario("part-copy")
def part_copy(run):
    client = connect(run)
    upload = client.create_multipart_upload(run.bucket, run.key, **ATTRIBUTES).upload_id
    parts = []
    for number, first, last in run.ranges:
        parts.append(
            client.upload_part_copy(
                run.bucket, run.key, upload, number, run.source_bucket, run.source_key,
                copy_source_range_start=first, copy_source_range_end=last))
    client.complete_multipart_upload(run.bucket, run.key, upload, parts)
    check_head(client, run)


@scenario("file-copy")
def file_copy(run):
    client = connect(run)

    def copy_file():
        return client.resumable_copy_object(
            run.bucket, run.key, run.source_bucket, run.source_key, part_size=run.part_size, task_num=1,
            enable_checkpoint=True, checkpoint_file=os.path.join(run.directory, "checkpoints"), **ATTRIBUTES)

    check_interrupted(copy_file)
    copy_file()
    check_head(client, run)
    return "resumed, its parts out of order"


@scenario("list-parts")
def list_parts(run):
    client = connect(run)
    upload = client.create_multipart_upload(run.bucket, run.key).upload_id
    sent = [client.upload_part(run.bucket, run.key, upload, n, content=b"%d" % n).etag for n in range(1, 6)]
    listed, pages, marker = [], 0, None
    while True:
        page = client.list_parts(run.bucket, run.key, upload, part_number_marker=marker, max_parts=2)
        listed += page.parts
        pages += 1
        if not page.is_truncated:
            break
        marker = page.next_part_number_marker
    check([part.part_number for part in listed] == [1, 2, 3, 4, 5], "not the parts that were sent")
    check([part.etag for part in listed] == sent, "listed other ETags than were answered")
    check(all(part.size == 1 for part in listed), "sizes are wrong")
    return f"{pages} pages"


@scenario("range-get")
def range_get(run):
    result = connect(run).get_object(run.source_bucket, run.source_key, range_start=1000, range_end=200_999)
    check(result.content_range == f"bytes 1000-200999/{run.size}", f"got {result.content_range}")
    run.save(result.read())


@scenario("resumable-download")
def resumable_download(run):
    client = connect(run)

    def download():
        return client.download_file(
            run.source_bucket, run.source_key, run.download, part_size=run.part_size, task_num=1,
            enable_checkpoint=True, checkpoint_file=os.path.join(run.directory, "checkpoints"))

    check_interrupted(download)
    download()
    return "resumed"


@scenario("delete")
def delete(run):
    client = connect(run)
    client.put_object(run.bucket, run.key, content=b"content")
    client.head_object(run.bucket, run.key)
    client.delete_object(run.bucket, run.key)
    missing = refused(lambda: client.head_object(run.bucket, run.key))
    check(missing.startswith("404"), f"HEAD was answered with {missing}")
    return refused(lambda: client.get_object(run.bucket, run.key))


@scenario("presign")
def presign(run):
    client = connect(run)
    signed = client.pre_signed_url(tos.HttpMethodType.Http_Method_Put, run.bucket, run.key, expires=300)
    with open(run.file, "rb") as file:
        send("PUT", signed.signed_url, file.read(), {"Content-Type": CONTENT_TYPE, **signed.signed_header})
    signed = client.pre_signed_url(tos.HttpMethodType.Http_Method_Get, run.bucket, run.key, expires=300)
    run.save(send("GET", signed.signed_url, headers=signed.signed_header))
    return "PUT and GET"


@scenario("abort")
def abort(run):
    client = connect(run)
    upload = client.create_multipart_upload(run.bucket, run.key).upload_id
    client.upload_part(run.bucket, run.key, upload, 1, content=b"content")

    def uploads():
        return client.list_multipart_uploads(run.bucket).uploads

    check([(found.key, found.upload_id) for found in uploads()] == [(run.key, upload)], "the upload is not listed")
    client.abort_multipart_upload(run.bucket, run.key, upload)
    check(not uploads(), "the upload is still listed")
    return refused(lambda: client.list_parts(run.bucket, run.key, upload))


@scenario("wrong-secret")
def wrong_secret(run):
    client = connect(run, secret_key="not the secret")
    return refused(lambda: client.put_object(run.bucket, run.key, content=b"content"))


@scenario("session-token")
def session_token(run):
    keys = run.session["accessKey"], run.session["secretKey"]
    right = connect(run, *keys, run.session["token"])
    right.put_object(run.bucket, run.key, content=b"content")
    signed = right.pre_signed_url(tos.HttpMethodType.Http_Method_Get, run.bucket, run.key, expires=300)
    run.save(send("GET", signed.signed_url, headers=signed.signed_header))
    wrong = connect(run, *keys, "not the token")
    return refused(lambda: wrong.put_object(run.bucket, "other", content=b"x"))


if __name__ == "__main__":
    main("tos")
