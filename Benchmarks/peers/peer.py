#!/usr/bin/env python3
"""Makes one transfer with another library, as transfer-bench does with this one, and prints {"op_s": …}.

Each library has a class below; a method is a work that it can do. What a library cannot do is missing there.
"""
import argparse
import asyncio
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit


class Peer:
    """One client, made from the command line."""

    def __init__(self, options):
        self.options = options
        self.part = int(options.part_mib * (1 << 20))
        self.access_key = os.environ["ACCESS_KEY"]
        self.secret_key = os.environ["SECRET_KEY"]
        self.connect()

    def each_file(self, send):
        """Calls `send(path, key)` for every file of the directory, on threads."""
        prefix = self.options.key.rstrip("/")
        paths = sorted(path for path in Path(self.options.operand).iterdir() if path.is_file())
        with ThreadPoolExecutor(self.options.jobs) as threads:
            list(threads.map(lambda path: send(str(path), f"{prefix}/{path.name}"), paths))

    def each_file_async(self, send):
        """The same with coroutines."""
        prefix = self.options.key.rstrip("/")

        async def main():
            places = asyncio.Semaphore(self.options.jobs)

            async def one(path):
                async with places:
                    await send(path, f"{prefix}/{path.name}")

            await asyncio.gather(*(one(path) for path in sorted(Path(self.options.operand).iterdir())))

        asyncio.run(main())


class Boto3(Peer):
    def connect(self):
        import boto3
        from boto3.s3.transfer import TransferConfig
        from botocore.config import Config

        checks = "when_required" if self.options.no_checksum else "when_supported"
        self.client = boto3.client(
            "s3", endpoint_url=self.options.endpoint, region_name="us-east-1",
            aws_access_key_id=self.access_key, aws_secret_access_key=self.secret_key,
            config=Config(
                max_pool_connections=max(10, self.options.jobs), request_checksum_calculation=checks,
                response_checksum_validation=checks,
                s3={"addressing_style": "path", "payload_signing_enabled": not self.options.no_checksum}))
        self.transfer = TransferConfig(
            multipart_threshold=self.part, multipart_chunksize=self.part, max_concurrency=self.options.jobs,
            preferred_transfer_client="classic")

    def put(self):
        self.client.upload_file(self.options.operand, self.options.bucket, self.options.key, Config=self.transfer)

    def get(self):
        self.client.download_file(self.options.bucket, self.options.key, self.options.operand, Config=self.transfer)

    def copy(self):
        source = {"Bucket": self.options.bucket, "Key": self.options.operand}
        self.client.copy(source, self.options.bucket, self.options.key, Config=self.transfer)

    def small(self):
        def send(path, key):
            with open(path, "rb") as file:
                self.client.put_object(Bucket=self.options.bucket, Key=key, Body=file)

        self.each_file(send)


class AWSCRT(Peer):
    def connect(self):
        from awscrt import auth, io, s3

        url = urlsplit(self.options.endpoint)
        self.host = url.netloc
        is_secure = url.scheme == "https"
        tls = None
        if is_secure:
            context = io.TlsContextOptions()
            if self.options.ca_file:
                context.override_default_trust_store_from_path(None, self.options.ca_file)
            tls = io.ClientTlsContext(context).new_connection_options()
        group = io.EventLoopGroup()
        keys = auth.AwsCredentialsProvider.new_static(self.access_key, self.secret_key)
        self.client = s3.S3Client(
            bootstrap=io.ClientBootstrap(group, io.DefaultHostResolver(group)), region="us-east-1",
            tls_mode=s3.S3RequestTlsMode.ENABLED if is_secure else s3.S3RequestTlsMode.DISABLED,
            tls_connection_options=tls,
            signing_config=s3.create_default_s3_signing_config(region="us-east-1", credential_provider=keys),
            part_size=self.part, multipart_upload_threshold=self.part, throughput_target_gbps=100,
            max_active_connections_override=self.options.jobs)

    def request(self, kind, method, key, operation, **files):
        from awscrt import http

        headers = http.HttpHeaders([("Host", self.host)])
        if "send_filepath" in files:
            headers.add("Content-Length", str(os.path.getsize(files["send_filepath"])))
        request = http.HttpRequest(method, f"/{self.options.bucket}/{key}", headers)
        return self.client.make_request(type=kind, request=request, operation_name=operation, **files).finished_future

    def upload(self, path, key):
        from awscrt import s3

        if self.options.no_checksum:
            checksum = None
        else:
            checksum = s3.S3ChecksumConfig(
                algorithm=s3.S3ChecksumAlgorithm.CRC64NVME, location=s3.S3ChecksumLocation.TRAILER)
        return self.request(
            s3.S3RequestType.PUT_OBJECT, "PUT", key, "PutObject", send_filepath=path, checksum_config=checksum)

    def put(self):
        self.upload(self.options.operand, self.options.key).result()

    def get(self):
        from awscrt import s3

        self.request(
            s3.S3RequestType.GET_OBJECT, "GET", self.options.key, "GetObject",
            recv_filepath=self.options.operand).result()

    def small(self):
        prefix = self.options.key.rstrip("/")
        paths = sorted(Path(self.options.operand).iterdir())
        for future in [self.upload(str(path), f"{prefix}/{path.name}") for path in paths]:
            future.result()


class Obstore(Peer):
    def connect(self):
        import obstore
        from obstore.store import S3Store

        options = {"allow_http": True}
        if self.options.ca_file:
            # It takes no authority of one's own.
            options["allow_invalid_certificates"] = True
        self.module = obstore
        self.store = S3Store(
            self.options.bucket, endpoint=self.options.endpoint, access_key_id=self.access_key,
            secret_access_key=self.secret_key, region="us-east-1", virtual_hosted_style_request=False,
            unsigned_payload=self.options.no_checksum, client_options=options)

    def put(self):
        self.module.put(
            self.store, self.options.key, Path(self.options.operand), use_multipart=True, chunk_size=self.part,
            max_concurrency=self.options.jobs)

    def get(self):
        # It has no download of several ranges at once.
        with open(self.options.operand, "wb", buffering=0) as file:
            for chunk in self.module.get(self.store, self.options.key).stream(min_chunk_size=self.part):
                file.write(chunk)

    def small(self):
        self.each_file_async(
            lambda path, key: self.module.put_async(self.store, key, path, use_multipart=False))


class OpenDAL(Peer):
    def connect(self):
        import opendal

        self.operator = opendal.Operator(
            "s3", bucket=self.options.bucket, endpoint=self.options.endpoint, region="us-east-1", root="/",
            access_key_id=self.access_key, secret_access_key=self.secret_key)

    def put(self):
        target = self.operator.open(self.options.key, "wb", chunk=self.part, concurrent=self.options.jobs)
        with open(self.options.operand, "rb", buffering=0) as file:
            while chunk := file.read(self.part):
                target.write(chunk)
        target.close()

    def get(self):
        source = self.operator.open(self.options.key, "rb", chunk=self.part, concurrent=self.options.jobs)
        with open(self.options.operand, "wb", buffering=0) as file:
            while chunk := source.read(self.part):
                file.write(chunk)

    def small(self):
        operator = self.operator.to_async_operator()

        async def send(path, key):
            await operator.write(key, path.read_bytes())

        self.each_file_async(send)


class OSS2(Peer):
    def connect(self):
        import oss2

        self.module = oss2
        self.bucket = oss2.Bucket(
            oss2.AuthV4(self.access_key, self.secret_key), self.options.endpoint, self.options.bucket,
            region="cn-hangzhou", enable_crc=not self.options.no_checksum,
            session=oss2.Session(pool_size=max(10, self.options.jobs)))

    def put(self):
        self.module.resumable_upload(
            self.bucket, self.options.key, self.options.operand, store=self.module.ResumableStore(root=mkdtemp()),
            multipart_threshold=self.part, part_size=self.part, num_threads=self.options.jobs)

    def get(self):
        self.module.resumable_download(
            self.bucket, self.options.key, self.options.operand,
            store=self.module.ResumableDownloadStore(root=mkdtemp()), multiget_threshold=self.part,
            part_size=self.part, num_threads=self.options.jobs)

    def copy(self):
        # It copies no object in parts by itself; its manual has such a loop.
        source, key = self.options.operand, self.options.key
        size = self.bucket.head_object(source).content_length
        upload = self.bucket.init_multipart_upload(key).upload_id

        def part(number):
            first = (number - 1) * self.part
            last = min(first + self.part, size) - 1
            answer = self.bucket.upload_part_copy(
                self.options.bucket, source, (first, last), key, upload, number)
            return self.module.models.PartInfo(number, answer.etag)

        with ThreadPoolExecutor(self.options.jobs) as threads:
            parts = list(threads.map(part, range(1, -(-size // self.part) + 1)))
        self.bucket.complete_multipart_upload(key, upload, parts)

    def small(self):
        self.each_file(lambda path, key: self.bucket.put_object_from_file(key, path))


class OSSV2(Peer):
    def connect(self):
        import alibabacloud_oss_v2 as oss
        from alibabacloud_oss_v2.transport import RequestsHttpClient

        places = max(20, self.options.jobs)
        config = oss.config.load_default()
        config.credentials_provider = oss.credentials.StaticCredentialsProvider(self.access_key, self.secret_key)
        config.region = "cn-hangzhou"
        config.endpoint = self.options.endpoint
        config.use_path_style = True
        config.disable_upload_crc64_check = config.disable_download_crc64_check = self.options.no_checksum
        config.http_client = RequestsHttpClient(max_connections=places, pool_maxsize=places)
        self.module = oss
        self.client = oss.Client(config)

    def put(self):
        request = self.module.PutObjectRequest(bucket=self.options.bucket, key=self.options.key)
        uploader = self.client.uploader(part_size=self.part, parallel_num=self.options.jobs)
        uploader.upload_file(request, self.options.operand)

    def get(self):
        request = self.module.GetObjectRequest(bucket=self.options.bucket, key=self.options.key)
        downloader = self.client.downloader(part_size=self.part, parallel_num=self.options.jobs)
        downloader.download_file(request, self.options.operand)

    def copy(self):
        copier = self.client.copier(
            part_size=self.part, parallel_num=self.options.jobs, multipart_copy_threshold=self.part,
            disable_shallow_copy=True)
        copier.copy(
            self.module.CopyObjectRequest(
                bucket=self.options.bucket, key=self.options.key, source_bucket=self.options.bucket,
                source_key=self.options.operand))

    def small(self):
        def send(path, key):
            self.client.put_object_from_file(
                self.module.PutObjectRequest(bucket=self.options.bucket, key=key), path)

        self.each_file(send)


class TOS(Peer):
    def connect(self):
        import tos

        # A domain of one's own: an address has no place for the bucket in front.
        self.client = tos.TosClientV2(
            self.access_key, self.secret_key, self.options.endpoint, "cn-beijing", is_custom_domain=True,
            enable_crc=not self.options.no_checksum, max_connections=max(1024, self.options.jobs))
        self.parts = {
            "part_size": self.part, "task_num": self.options.jobs, "enable_checkpoint": True,
            "checkpoint_file": mkdtemp()}

    def put(self):
        self.client.upload_file(self.options.bucket, self.options.key, self.options.operand, **self.parts)

    def get(self):
        self.client.download_file(self.options.bucket, self.options.key, self.options.operand, **self.parts)

    def copy(self):
        self.client.resumable_copy_object(
            self.options.bucket, self.options.key, self.options.bucket, self.options.operand, **self.parts)

    def small(self):
        self.each_file(lambda path, key: self.client.put_object_from_file(self.options.bucket, key, path))


PEERS = {
    "boto3": Boto3, "awscrt": AWSCRT, "obstore": Obstore, "opendal": OpenDAL, "oss2": OSS2,
    "alibabacloud-oss-v2": OSSV2, "tos": TOS}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("work", choices=["put", "get", "copy", "small"])
    parser.add_argument("operand", help="file, key of the source or directory")
    for name in ("--endpoint", "--bucket", "--key"):
        parser.add_argument(name, required=True)
    parser.add_argument("--part-mib", type=float, default=8)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--no-checksum", action="store_true", help="sums nothing, where the library can be told so")
    parser.add_argument("--ca-file")
    options = parser.parse_args()
    kind = PEERS[options.peer]
    if not hasattr(kind, options.work):
        sys.exit(f"{options.peer} has no {options.work}")
    peer = kind(options)
    started = time.perf_counter()
    getattr(peer, options.work)()
    print(json.dumps({"op_s": round(time.perf_counter() - started, 6)}), flush=True)
    # Threads of a library that were not asked to end may wait for long.
    os._exit(0)


if __name__ == "__main__":
    main()
