"""Does with tos what the recordings of `Tests/Golden/tos` do with the library."""

import os

from drive_tos import connect
from driving import check_interrupted, main, scenario


def attributes(run):
    # This client encodes the metadata itself.
    return {"content_type": run.content_type, "meta": run.metadata}


def resumable(run):
    return {
        "part_size": run.part_size, "task_num": 1, "enable_checkpoint": True,
        "checkpoint_file": os.path.join(run.directory, "checkpoints"),
    }


def upload_file(run):
    connect(run).upload_file(run.bucket, run.key, run.file, **resumable(run), **attributes(run))


def copy_file(run):
    connect(run).resumable_copy_object(run.bucket, run.key, run.source_bucket, run.source_key, **resumable(run))


@scenario("record-put")
def put(run):
    connect(run).put_object_from_file(run.bucket, run.key, run.file, **attributes(run))


@scenario("record-bare-put")
def bare_put(run):
    connect(run).put_object_from_file(run.bucket, run.key, run.file)


@scenario("record-multipart-upload")
def multipart_upload(run):
    upload_file(run)


@scenario("record-resumable-upload")
def resumable_upload(run):
    check_interrupted(lambda: upload_file(run))
    upload_file(run)


@scenario("record-copy")
def copy(run):
    connect(run).copy_object(run.bucket, run.key, run.source_bucket, run.source_key)


@scenario("record-resumable-copy")
def resumable_copy(run):
    check_interrupted(lambda: copy_file(run))
    copy_file(run)


main("tos")
