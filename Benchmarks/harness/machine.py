"""What the figures were taken on."""
import datetime
import os
import platform
import subprocess

from .tools import ROOT, last_line


def describe(tools):
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": first_line(["git", "-C", str(ROOT), "describe", "--always", "--dirty"]),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / (1 << 30):.0f} GiB",
        "kernel": platform.release(),
        "Swift": first_line(["swift", "--version"]),
        "curl": first_line(["curl", "--version"]).split(" (")[0],
        "OpenSSL": first_line(["openssl", "version"]),
        "Python": platform.python_version(),
        "peers": ", ".join(f"{name} {version}" for name, version in tools.versions.items()),
        "missing": ", ".join(f"{name} ({reason})" for name, reason in tools.missing.items()) or "none",
        "load before": f"{os.getloadavg()[0]:.2f}",
    }


def is_busy():
    """Whether others use so much of the machine that figures tell little."""
    return os.getloadavg()[0] > 0.3 * len(os.sched_getaffinity(0))


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "not there"
    return done.stdout.splitlines()[0] if done.stdout else last_line(done.stderr)
