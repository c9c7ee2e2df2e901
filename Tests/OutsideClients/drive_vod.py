"""Drives alibabacloud-vod20170321, Aliyun's Python client of the VOD OpenAPI, and uploads with oss2 by what it hands out."""

import base64
import json

import oss2
from alibabacloud_tea_openapi.models import Config
from alibabacloud_vod20170321 import models
from alibabacloud_vod20170321.client import Client
from darabonba.exceptions import ResponseException
from driving import check, check_refused, main, scenario


def connect(run, access_key=None, secret_key=None, token=None):
    return Client(
        Config(
            access_key_id=access_key or run.access_key, access_key_secret=secret_key or run.secret_key,
            security_token=token, endpoint=f"127.0.0.1:{run.port}", protocol="HTTP"))


def decoded(text):
    return json.loads(base64.b64decode(text))


def target(run, body):
    """The bucket and key that the answer gives, and access to them by its keys alone."""
    address, auth = decoded(body.upload_address), decoded(body.upload_auth)
    keys = oss2.StsAuth(auth["AccessKeyId"], auth["AccessKeySecret"], auth["SecurityToken"])
    bucket = oss2.Bucket(keys, address["Endpoint"], address["Bucket"], is_path_style=True)
    return bucket, address["FileName"]


def video(run):
    return models.CreateUploadVideoRequest(
        title="A film & a half", file_name="film 1+1.mov", description="naïve", tags="sea,sun", file_size=run.size)


def refused(call):
    return check_refused(call, ResponseException, lambda error: (error.status_code, error.code))


@scenario("create-video")
def create_video(run):
    body = connect(run).create_upload_video(video(run)).body
    check(body.video_id and body.request_id, "the answer has no id")
    bucket, key = target(run, body)
    bucket.put_object_from_file(key, run.file)
    return body.video_id


@scenario("refresh-video")
def refresh_video(run):
    client = connect(run)
    created = client.create_upload_video(video(run)).body
    refreshed = client.refresh_upload_video(models.RefreshUploadVideoRequest(video_id=created.video_id)).body
    check(refreshed.video_id == created.video_id, "it is another video")
    check(decoded(refreshed.upload_address) == decoded(created.upload_address), "it has another address")
    bucket, key = target(run, refreshed)
    bucket.put_object_from_file(key, run.file)
    return created.video_id


@scenario("create-image")
def create_image(run):
    request = models.CreateUploadImageRequest(image_type="cover", image_ext="png", title="Küste", tags="sea")
    body = connect(run).create_upload_image(request).body
    check(body.image_id and body.image_url, "the answer has no id or no address")
    bucket, key = target(run, body)
    bucket.put_object_from_file(key, run.file)
    return body.image_id


@scenario("wrong-secret")
def wrong_secret(run):
    return refused(lambda: connect(run, secret_key="not the secret").create_upload_video(video(run)))


@scenario("session-token")
def session_token(run):
    keys = run.session["accessKey"], run.session["secretKey"]
    connect(run, *keys, run.session["token"]).create_upload_video(video(run))
    return refused(lambda: connect(run, *keys, "not the token").create_upload_video(video(run)))


if __name__ == "__main__":
    main("alibabacloud-vod20170321")
