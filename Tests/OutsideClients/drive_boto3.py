"""Drives boto3, Amazon's Python client of S3, with AWS4-HMAC-SHA256."""

import boto3
import boto3.s3.transfer
from botocore.config import Config
from botocore.exceptions import ClientError
from driving import CONTENT_TYPE, METADATA, check, check_refused, main, scenario, send

ATTRIBUTES = {"ContentType": CONTENT_TYPE, "Metadata": METADATA}


def connect(run, access_key=None, secret_key=None, token=None):
    style = "path" if run.addressing == "path" else "virtual"
    return boto3.client(
        "s3", endpoint_url=run.endpoint, region_name=run.region, aws_access_key_id=access_key or run.access_key,
        aws_secret_access_key=secret_key or run.secret_key, aws_session_token=token,
        config=Config(
            signature_version="s3v4", s3={"addressing_style": style}, retries={"total_max_attempts": 1},
            request_checksum_calculation=run.checksums))


def refusal(error):
    return error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]


def refused(call):
    return check_refused(call, ClientError, refusal)


def transfer(run):
    return boto3.s3.transfer.TransferConfig(
        multipart_threshold=run.part_size, multipart_chunksize=run.part_size, max_concurrency=2)


def target(run):
    return {"Bucket": run.bucket, "Key": run.key}


def source(run):
    return {"Bucket": run.source_bucket, "Key": run.source_key}


def complete(client, run, upload, parts):
    numbered = [{"PartNumber": number, **part} for number, part in enumerate(parts, 1)]
    return client.complete_multipart_upload(**target(run), UploadId=upload, MultipartUpload={"Parts": numbered})


def check_head(client, run):
    head = client.head_object(**target(run))
    check(head["ContentLength"] == run.size, "HEAD tells of another length")
    check(head["ContentType"] == CONTENT_TYPE and head["Metadata"] == METADATA, f"attributes are {head['Metadata']}")
    return head


@scenario("put")
def put(run):
    client = connect(run)
    with open(run.file, "rb") as file:
        result = client.put_object(**target(run), Body=file, **ATTRIBUTES)
    check(check_head(client, run)["ETag"] == result["ETag"], "HEAD tells of another object")
    return "with a checksum of the client's choice"


@scenario("multipart")
def multipart(run):
    client = connect(run)
    created = client.create_multipart_upload(**target(run), ChecksumAlgorithm="CRC32", **ATTRIBUTES)
    upload = created["UploadId"]
    parts = []
    for number, content in run.parts():
        answer = client.upload_part(
            **target(run), UploadId=upload, PartNumber=number, Body=content, ChecksumAlgorithm="CRC32")
        parts.append({"ETag": answer["ETag"], "ChecksumCRC32": answer["ChecksumCRC32"]})
    result = complete(client, run, upload, parts)
    check(check_head(client, run)["ETag"] == result["ETag"], "HEAD tells of another object")
    return "with CRC-32 of the parts"


@scenario("file-upload")
def file_upload(run):
    client = connect(run)
    client.upload_file(run.file, run.bucket, run.key, ExtraArgs=ATTRIBUTES, Config=transfer(run))
    check_head(client, run)
    return "not resumable"


@scenario("copy")
def copy(run):
    client = connect(run)
    etag = client.head_object(**source(run))["ETag"]
    failed = refused(lambda: client.copy_object(**target(run), CopySource=source(run), CopySourceIfMatch="0" * 32))
    check(failed.startswith("412"), f"the condition was answered with {failed}")
    result = client.copy_object(
        **target(run), CopySource=source(run), CopySourceIfMatch=etag, MetadataDirective="REPLACE", **ATTRIBUTES)
    check(result["CopyObjectResult"]["ETag"] == etag, f"the copy has another ETag than {etag}")
    check_head(client, run)
    return "under a condition"


@scenario("part-copy")
def part_copy(run):
    client = connect(run)
    upload = client.create_multipart_upload(**target(run), **ATTRIBUTES)["UploadId"]
    parts = []
    for number, first, last in run.ranges:
        answer = client.upload_part_copy(
            **target(run), UploadId=upload, PartNumber=number, CopySource=source(run),
            CopySourceRange=f"bytes={first}-{last}")
        parts.append({"ETag": answer["CopyPartResult"]["ETag"]})
    complete(client, run, upload, parts)
    check_head(client, run)


@scenario("file-copy")
def file_copy(run):
    client = connect(run)
    # Without the directive the client gives the copy what the source has.
    attributes = {"MetadataDirective": "REPLACE", **ATTRIBUTES}
    client.copy(source(run), run.bucket, run.key, ExtraArgs=attributes, Config=transfer(run))
    check_head(client, run)
    return "not resumable"


@scenario("list-parts")
def list_parts(run):
    client = connect(run)
    upload = client.create_multipart_upload(**target(run))["UploadId"]
    sent = [
        client.upload_part(**target(run), UploadId=upload, PartNumber=number, Body=b"%d" % number)["ETag"]
        for number in range(1, 6)
    ]
    paginator = client.get_paginator("list_parts")
    pages = list(paginator.paginate(**target(run), UploadId=upload, PaginationConfig={"PageSize": 2}))
    listed = [part for page in pages for part in page["Parts"]]
    check([part["PartNumber"] for part in listed] == [1, 2, 3, 4, 5], "not the parts that were sent")
    check([part["ETag"] for part in listed] == sent, "listed other ETags than were answered")
    check(all(part["Size"] == 1 for part in listed), "sizes are wrong")
    return f"{len(pages)} pages"


@scenario("range-get")
def range_get(run):
    result = connect(run).get_object(**source(run), Range="bytes=1000-200999")
    check(result["ContentRange"] == f"bytes 1000-200999/{run.size}", f"got {result['ContentRange']}")
    run.save(result["Body"].read())


@scenario("file-download")
def file_download(run):
    connect(run).download_file(run.source_bucket, run.source_key, run.download, Config=transfer(run))
    return "not resumable"


@scenario("delete")
def delete(run):
    client = connect(run)
    client.put_object(**target(run), Body=b"content")
    client.head_object(**target(run))
    client.delete_object(**target(run))
    missing = refused(lambda: client.head_object(**target(run)))
    check(missing == "404 404", f"HEAD was answered with {missing}")
    return refused(lambda: client.get_object(**target(run)))


@scenario("presign")
def presign(run):
    client = connect(run)
    url = client.generate_presigned_url(
        "put_object", Params={**target(run), "ContentType": CONTENT_TYPE}, ExpiresIn=300)
    with open(run.file, "rb") as file:
        send("PUT", url, file.read(), {"Content-Type": CONTENT_TYPE})
    run.save(send("GET", client.generate_presigned_url("get_object", Params=target(run), ExpiresIn=300)))
    return "PUT and GET"


@scenario("abort")
def abort(run):
    client = connect(run)
    upload = client.create_multipart_upload(**target(run))["UploadId"]
    client.upload_part(**target(run), UploadId=upload, PartNumber=1, Body=b"content")

    def uploads():
        found = client.list_multipart_uploads(Bucket=run.bucket).get("Uploads", [])
        return [(one["Key"], one["UploadId"]) for one in found]

    check(uploads() == [(run.key, upload)], "the upload is not listed")
    client.abort_multipart_upload(**target(run), UploadId=upload)
    check(not uploads(), "the upload is still listed")
    return refused(lambda: client.list_parts(**target(run), UploadId=upload))


@scenario("wrong-secret")
def wrong_secret(run):
    client = connect(run, secret_key="not the secret")
    return refused(lambda: client.put_object(**target(run), Body=b"content"))


@scenario("session-token")
def session_token(run):
    keys = run.session["accessKey"], run.session["secretKey"]
    right = connect(run, *keys, run.session["token"])
    right.put_object(**target(run), Body=b"content")
    run.save(send("GET", right.generate_presigned_url("get_object", Params=target(run), ExpiresIn=300)))
    wrong = connect(run, *keys, "not the token")
    return refused(lambda: wrong.put_object(Bucket=run.bucket, Key="other", Body=b"x"))


if __name__ == "__main__":
    main("boto3")
