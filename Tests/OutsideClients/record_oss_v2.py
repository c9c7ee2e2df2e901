"""Does with alibabacloud-oss-v2 what the recordings of `Tests/Golden/oss` do with the library."""

import alibabacloud_oss_v2 as oss
from drive_oss_v2 import complete, connect, copy_request, create, put_part
from driving import check_interrupted, main, scenario


def attributes(run):
    return {"content_type": run.content_type, "metadata": run.encoded_metadata}


def upload_file(run):
    uploader = connect(run).uploader(
        part_size=run.part_size, parallel_num=1, leave_parts_on_error=True, enable_checkpoint=True,
        checkpoint_dir=run.directory)
    uploader.upload_file(oss.PutObjectRequest(bucket=run.bucket, key=run.key, **attributes(run)), run.file)


@scenario("record-put")
def put(run):
    request = oss.PutObjectRequest(bucket=run.bucket, key=run.key, **attributes(run))
    connect(run).put_object_from_file(request, run.file)


@scenario("record-bare-put")
def bare_put(run):
    connect(run).put_object_from_file(oss.PutObjectRequest(bucket=run.bucket, key=run.key), run.file)


@scenario("record-multipart-upload")
def multipart_upload(run):
    upload_file(run)


@scenario("record-resumable-upload")
def resumable_upload(run):
    check_interrupted(lambda: upload_file(run))
    upload_file(run)


@scenario("record-copy")
def copy(run):
    connect(run).copy_object(copy_request(run))


@scenario("record-resumable-copy")
def resumable_copy(run):
    """The client's copier cannot go on: from its operations."""
    client = connect(run)

    def head():
        return client.head_object(oss.HeadObjectRequest(bucket=run.source_bucket, key=run.source_key))

    def copy_part(upload, etag, number, first, last):
        request = oss.UploadPartCopyRequest(
            bucket=run.bucket, key=run.key, upload_id=upload, part_number=number, source_bucket=run.source_bucket,
            source_key=run.source_key, source_range=f"bytes={first}-{last}", if_match=etag)
        return client.upload_part_copy(request).etag

    source = head()
    upload = create(client, run, content_type=source.content_type)
    copy_part(upload, source.etag, *run.ranges[0])
    source = head()
    listed = client.list_parts(oss.ListPartsRequest(bucket=run.bucket, key=run.key, upload_id=upload))
    etags = [part.etag for part in listed.parts]
    etags += [copy_part(upload, source.etag, *part) for part in run.ranges[len(etags):]]
    complete(client, run, upload, etags)


main("alibabacloud-oss-v2")
