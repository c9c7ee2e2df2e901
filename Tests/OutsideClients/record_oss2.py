"""Does with oss2 what the recordings of `Tests/Golden/oss-v1` do with the library."""

import oss2
from drive_oss2 import connect
from driving import check_interrupted, main, scenario


def headers(run):
    metadata = {"x-oss-meta-" + name: value for name, value in run.encoded_metadata.items()}
    return {"Content-Type": run.content_type, **metadata}


def upload_file(run):
    oss2.resumable_upload(
        connect(run), run.key, run.file, store=oss2.ResumableStore(root=run.directory), headers=headers(run),
        multipart_threshold=run.part_size, part_size=run.part_size, num_threads=1)


@scenario("record-put")
def put(run):
    connect(run).put_object_from_file(run.key, run.file, headers=headers(run))


@scenario("record-bare-put")
def bare_put(run):
    connect(run).put_object_from_file(run.key, run.file)


@scenario("record-multipart-upload")
def multipart_upload(run):
    upload_file(run)


@scenario("record-resumable-upload")
def resumable_upload(run):
    check_interrupted(lambda: upload_file(run))
    upload_file(run)


@scenario("record-copy")
def copy(run):
    connect(run).copy_object(run.source_bucket, run.source_key, run.key)


@scenario("record-resumable-copy")
def resumable_copy(run):
    """The client has no such copy: from its operations."""
    bucket, source_bucket = connect(run), connect(run, bucket=run.source_bucket)

    def copy_part(upload, etag, number, first, last):
        result = bucket.upload_part_copy(
            run.source_bucket, run.source_key, (first, last), run.key, upload, number,
            headers={"x-oss-copy-source-if-match": f'"{etag}"'})
        return oss2.models.PartInfo(number, result.etag)

    source = source_bucket.head_object(run.source_key)
    upload = bucket.init_multipart_upload(run.key, headers={"Content-Type": source.content_type}).upload_id
    copy_part(upload, source.etag, *run.ranges[0])
    source = source_bucket.head_object(run.source_key)
    parts = bucket.list_parts(run.key, upload).parts
    parts += [copy_part(upload, source.etag, *part) for part in run.ranges[len(parts):]]
    bucket.complete_multipart_upload(run.key, upload, parts)


main("oss2")
