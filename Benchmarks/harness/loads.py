"""The work loads, by the letters under which they were asked for."""
from dataclasses import dataclass, field

from . import contestants
from .contestants import Task
from .data import MIB

GIB = 1 << 30


@dataclass
class Load:
    name: str
    group: str
    title: str
    #: Makes the contestants; called when the load is run.
    make: object
    #: What is done once by each, to tell processor time by: amount and unit.
    amount: float = 1
    unit: str = "run"
    #: Of the server.
    sink: list = field(default_factory=list)
    tls: bool = False
    #: What the server must have seen: a name in its counts, and the least number.
    expects: tuple = ()
    #: The figure to compare by: wall or peak.
    metric: str = "wall"
    #: Where fewer rounds than asked for tell as much.
    most_rounds: int = 1000
    #: Only when it is named, or with --all.
    is_slow: bool = False


def all_loads(tools, data, settings, certificate):
    loads = []
    size = settings.size_mib * MIB
    amount = size / GIB
    title_size = f"{amount:g} GiB" if size >= GIB else f"{settings.size_mib} MiB"

    def upload(group, letter, part, jobs, tls):
        def make():
            trust = str(certificate().certificate) if tls else ""
            task = Task("put", str(data.file(size)), part, jobs, trust)
            return contestants.everybody(tools, task, crc_row=not tls)

        over = " over TLS" if tls else ""
        loads.append(Load(
            f"{group}-{part}x{jobs}", group, f"({letter}) Upload of {title_size}{over}: {part} MiB parts, {jobs} at once", make,
            amount, "GiB", ["--threads", "2"] if tls else [], tls, ("body_bytes", size)))

    for group, letter, tls in (("upload", "a", False), ("tls", "b", True)):
        for part in (8, 1):
            for jobs in (4, 16):
                upload(group, letter, part, jobs, tls)

    def small():
        task = Task("small", str(data.small(settings.files, 16 << 10)), jobs=16)
        everybody = contestants.everybody(tools, task)
        # With the header, or a request more would be needed to look at what was stored.
        for contestant in everybody:
            contestant.crc = True
        return everybody

    loads.append(Load(
        "small", "small", f"(c) {settings.files} files of 16 KiB, 16 at once", small, settings.files / 1000, "1,000 files",
        expects=("puts", settings.files)))

    def copy(parts, latency, jobs, is_slow):
        part = 20 if parts == 512 else 5
        name = f"{parts}-parts"

        def make():
            return contestants.everybody(tools, Task("copy", name, part, jobs), crc_row=False)

        loads.append(Load(
            f"copy-{parts}-{latency}ms-{jobs}", "copy",
            f"(d) Copy of {parts:,} parts, {latency} ms each, {jobs} at once", make, parts / 1000, "1,000 parts",
            ["--object", f"{name}={parts * part}m", "--latency", str(latency)], expects=("copies", parts), is_slow=is_slow))

    for parts in (512, 10_000):
        for latency in (0, 20):
            for jobs in (1, 16, 128, 1000):
                # A second or more in waiting alone tells nothing of the programs.
                copy(parts, latency, jobs, is_slow=latency * parts / jobs > 2000)

    def download():
        return contestants.everybody(tools, Task("get", str(data.target()), key="source"), crc_row=False)

    loads.append(Load(
        "download", "download", f"(e) Download of {title_size} to a tmpfs: 8 MiB parts, 4 at once", download, amount, "GiB",
        ["--object", f"source={settings.size_mib}m"], expects=("gets", 1)))

    def resume():
        task = Task("put", str(data.file(size)))
        # Those in flight at the pause are stored, too.
        before = ["--stop-after", str(max(1, size // (8 * MIB) * 9 // 10 - (task.jobs - 1)))]
        return [
            contestants.ours(tools, task, "whole upload"),
            contestants.ours(tools, task, "resume, stored parts read again", prepare=before),
            contestants.ours(tools, task, "resume, record trusted", extra=["--no-checksum"], prepare=before),
        ]

    loads.append(Load(
        "resume", "resume", f"(f) Upload of {title_size}, resumed with 90 % done", resume, expects=("parts", 1)))
    loads.append(Load("micro", "micro", "(g) Single steps", None))
    memory(loads, tools, data, settings)
    return loads


def memory(loads, tools, data, settings):
    """(h): how much the library takes, by the size of the object and by what is in flight."""
    uploads = [("1 MiB", MIB), ("64 MiB", 64 * MIB), ("1 GiB", GIB), ("8 GiB", 8 * GIB)]
    if settings.all:
        uploads.append(("1 TiB", 1 << 40))
    copies = [("1 MiB", MIB), ("1 GiB", GIB), ("64 GiB", 64 * GIB), ("1 TiB", 1 << 40)]

    def by_size():
        found = []
        for text, size in uploads:
            part = max(8, -(-size // 10_000) // MIB + 1)
            found.append(contestants.ours(tools, Task("put", str(data.sparse(size)), part), f"upload of {text}"))
        for text, size in copies:
            part = max(8, -(-size // 10_000) // MIB + 1)
            task = Task("copy", f"source-{size}", part, 16)
            found.append(contestants.ours(tools, task, f"copy of {text}"))
        return found

    objects = [word for _, size in copies for word in ("--object", f"source-{size}={size}")]
    loads.append(Load(
        "memory-size", "memory", "(h) Memory, by the size of the object", by_size, sink=objects, metric="peak",
        most_rounds=3))

    def by_jobs():
        file = str(data.sparse(4 * GIB))
        found = [
            contestants.ours(tools, Task("put", file, 1, jobs), f"upload, {jobs} at once") for jobs in (1, 4, 16, 64, 256)]
        return found + [
            contestants.ours(tools, Task("copy", "source", 1, jobs), f"copy, {jobs} at once")
            for jobs in (16, 128, 1000)]

    loads.append(Load(
        "memory-jobs", "memory", "(h) Memory, by what is in flight", by_jobs,
        sink=["--object", "source=10000m", "--latency", "20"], metric="peak", most_rounds=3))
