"""Does with alibabacloud-vod20170321, and oss2 for what it hands out, what the recordings of `Tests/Golden/vod` do."""

import oss2
from alibabacloud_vod20170321 import models
from drive_vod import connect, decoded
from driving import main, scenario


def target(run, body):
    """The bucket and key that the answer gives, with signature V4."""
    address, auth = decoded(body.upload_address), decoded(body.upload_auth)
    provider = oss2.credentials.StaticCredentialsProvider(
        auth["AccessKeyId"], auth["AccessKeySecret"], auth["SecurityToken"])
    bucket = oss2.Bucket(
        oss2.ProviderAuthV4(provider), address["Endpoint"], address["Bucket"], region=auth["Region"], is_path_style=True)
    return bucket, address["FileName"]


@scenario("record-video")
def video(run):
    request = models.CreateUploadVideoRequest(title="holiday", file_name="holiday.mp4", file_size=run.size)
    bucket, key = target(run, connect(run).create_upload_video(request).body)
    oss2.resumable_upload(
        bucket, key, run.file, store=oss2.ResumableStore(root=run.directory), multipart_threshold=run.part_size,
        part_size=run.part_size, num_threads=1)


@scenario("record-refresh")
def refresh(run):
    client = connect(run)
    request = models.CreateUploadVideoRequest(title="a b+中 & c", file_name="holiday.mp4")
    created = client.create_upload_video(request).body
    client.refresh_upload_video(models.RefreshUploadVideoRequest(video_id=created.video_id))


@scenario("record-image")
def image(run):
    request = models.CreateUploadImageRequest(image_type="default", image_ext="png", original_file_name="cover.png")
    bucket, key = target(run, connect(run).create_upload_image(request).body)
    bucket.put_object_from_file(key, run.file)


main("alibabacloud-vod20170321")
