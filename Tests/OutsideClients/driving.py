"""What the drivers of the official clients share.

A driver is started as `python DRIVER SETTINGS SCENARIO...`, with SETTINGS a JSON object (see Settings), and prints one JSON
line for each scenario: {"client":…, "version":…, "scenario":…, "ok":…, "detail":…}. The bytes that a scenario uploads are those
of a file that the caller made, and what it downloads goes to a file beside it: the caller knows what must be in either.
"""

import importlib.metadata
import json
import os
import socket
import sys
import traceback
import urllib.error
import urllib.parse
import urllib.request

# The server is on the loopback interface: no proxy is asked, and no configuration of the user's is read.
for name in list(os.environ):
    if name.lower().endswith("_proxy") or name.startswith(("AWS_", "OSS_", "TOS_", "ALIBABA_CLOUD_")):
        del os.environ[name]

_resolve = socket.getaddrinfo


def _resolve_localhost(host, *rest, **named):
    """Names below localhost are the loopback interface (RFC 6761), which not every system's resolver knows."""
    if isinstance(host, str) and host.endswith(".localhost"):
        host = "127.0.0.1"
    return _resolve(host, *rest, **named)


socket.getaddrinfo = _resolve_localhost


class Settings:
    """The server, its keys and the objects that a run is about."""

    def __init__(self, values):
        self.port = values["port"]
        self.region = values["region"]
        # path: the bucket in the path of the URL; host: in its name; domain: nowhere, the name stands for the bucket.
        self.addressing = values["addressing"]
        # Which of its signatures the client uses, where it has several.
        self.signature = values["signature"]
        # Whether boto3 sends checksums that nobody asked for.
        self.checksums = values["checksums"]
        self.access_key = values["accessKey"]
        self.secret_key = values["secretKey"]
        self.session = values["session"]
        self.source_bucket = values["sourceBucket"]
        self.source_key = values["sourceKey"]
        self.bucket = values["bucket"]
        self.key = values["key"]
        self.part_size = values["partSize"]
        # What the objects of a recording are given.
        self.content_type = values["contentType"]
        self.metadata = values["metadata"]
        self.directory = values["directory"]
        # What is to be uploaded, and of the same bytes the object that is to be copied.
        self.file = os.path.join(self.directory, "content")
        self.download = os.path.join(self.directory, "download")

    @property
    def encoded_metadata(self):
        """The metadata as they go over the wire, for the clients that leave the encoding to their users."""
        return {name: urllib.parse.quote(value, safe=" ") for name, value in self.metadata.items()}

    @property
    def endpoint(self):
        """The address that the client is configured with."""
        host = {"path": "127.0.0.1", "host": "localhost", "domain": "domain.localhost"}[self.addressing]
        return f"http://{host}:{self.port}"

    @property
    def size(self):
        return os.path.getsize(self.file)

    @property
    def ranges(self):
        """(number, first byte, last byte) of each part."""
        starts = range(0, self.size, self.part_size)
        return [(i + 1, start, min(start + self.part_size, self.size) - 1) for i, start in enumerate(starts)]

    def parts(self):
        """(number, bytes) of each part of the file."""
        with open(self.file, "rb") as file:
            for number, first, last in self.ranges:
                yield number, file.read(last - first + 1)

    def save(self, content):
        """Hands what was downloaded to the caller."""
        with open(self.download, "wb") as file:
            file.write(content)


CONTENT_TYPE = "video/quicktime"
METADATA = {"author": "somebody", "take": "2"}

_scenarios = {}


def scenario(name):
    """Makes a function a scenario. It returns what is worth telling, or raises."""

    def add(function):
        _scenarios[name] = function
        return function

    return add


class Failure(Exception):
    """The client saw something else than it should have."""


def check(condition, what):
    if not condition:
        raise Failure(what)


def check_refused(call, error, read):
    """Calls what must be refused, and tells with what status and code the client saw it."""
    try:
        call()
    except error as refusal:
        status, code = read(refusal)
        return f"{status} {code}"
    raise Failure("it was not refused")


def check_interrupted(call):
    """Calls a transfer that the server does not let come to its end."""
    try:
        call()
    except Exception as error:  # Each client wraps what happened to a part in errors of its own.
        return str(error)
    raise Failure("it was not interrupted")


def send(method, url, body=None, headers=None):
    """A plain request, as somebody makes it who was given a URL; returns the body."""
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        raise Failure(f"{method} was answered with {error.code}: {error.read().decode(errors='replace')}") from None


def main(package):
    """Runs the scenarios that the command line names."""
    settings = Settings(json.loads(sys.argv[1]))
    for name in sys.argv[2:]:
        try:
            ok, detail = True, _scenarios[name](settings) or ""
        except Exception as error:
            traceback.print_exc()
            ok, detail = False, f"{type(error).__name__}: {error}"
        line = {"client": package, "version": importlib.metadata.version(package)}
        print(json.dumps({**line, "scenario": name, "ok": ok, "detail": detail}), flush=True)
