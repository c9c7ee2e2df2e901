"""Does with boto3 what the recordings of `Tests/Golden/s3` and `Tests/Golden/tos-s3` do with the library."""

from boto3.s3.transfer import TransferConfig
from drive_boto3 import complete, connect, source, target
from driving import main, scenario


def attributes(run):
    return {"ContentType": run.content_type, "Metadata": run.encoded_metadata}


@scenario("record-put")
def put(run):
    with open(run.file, "rb") as file:
        connect(run).put_object(**target(run), Body=file, **attributes(run))


@scenario("record-bare-put")
def bare_put(run):
    with open(run.file, "rb") as file:
        connect(run).put_object(**target(run), Body=file)


@scenario("record-multipart-upload")
def multipart_upload(run):
    config = TransferConfig(
        multipart_threshold=run.part_size, multipart_chunksize=run.part_size, max_concurrency=1, use_threads=False)
    connect(run).upload_file(run.file, run.bucket, run.key, ExtraArgs=attributes(run), Config=config)


def taken(part):
    """What Complete wants to know of a part."""
    return {name: part[name] for name in ("ETag", "ChecksumCRC32") if name in part}


def listed_parts(client, run, upload):
    return [taken(part) for part in client.list_parts(**target(run), UploadId=upload)["Parts"]]


@scenario("record-resumable-upload")
def resumable_upload(run):
    """The client cannot go on with an upload: from its operations."""
    client = connect(run)

    summed = {"ChecksumAlgorithm": "CRC32"} if run.checksums == "when_supported" else {}

    def put_part(number, content):
        answer = client.upload_part(**target(run), UploadId=upload, PartNumber=number, Body=content)
        return taken(answer)

    upload = client.create_multipart_upload(**target(run), **summed, **attributes(run))["UploadId"]
    contents = list(run.parts())
    put_part(*contents[0])
    parts = listed_parts(client, run, upload)
    parts += [put_part(*part) for part in contents[len(parts):]]
    complete(client, run, upload, parts)


@scenario("record-copy")
def copy(run):
    connect(run).copy_object(**target(run), CopySource=source(run))


@scenario("record-resumable-copy")
def resumable_copy(run):
    """The client cannot go on with a copy: from its operations."""
    client = connect(run)

    def copy_part(etag, number, first, last):
        answer = client.upload_part_copy(
            **target(run), UploadId=upload, PartNumber=number, CopySource=source(run), CopySourceIfMatch=etag,
            CopySourceRange=f"bytes={first}-{last}")
        return taken(answer["CopyPartResult"])

    head = client.head_object(**source(run))
    upload = client.create_multipart_upload(**target(run), ContentType=head["ContentType"])["UploadId"]
    copy_part(head["ETag"], *run.ranges[0])
    head = client.head_object(**source(run))
    parts = listed_parts(client, run, upload)
    parts += [copy_part(head["ETag"], *part) for part in run.ranges[len(parts):]]
    complete(client, run, upload, parts)


main("boto3")
