"""The programs that take part: those of this package, and the peers from PyPI in an environment of their own."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent
BUILD = PACKAGE / ".build"
PEERS = BUILD / "peers"


class Tools:
    """Where the programs are, and which of the peers are missing, by name, with the reason."""

    def __init__(self, build=True, with_peers=True):
        for name in ("curl", "openssl"):
            if not shutil.which(name):
                sys.exit(f"the program '{name}' is needed, and is not there")
        if build:
            build_package()
        self.programs = program_folder()
        self.python = PEERS / "bin/python"
        self.missing = {}
        self.versions = {}
        if with_peers:
            self.install_peers()

    def program(self, name):
        return str(self.programs / name)

    def install_peers(self):
        if not self.python.exists():
            PEERS.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        for requirement in requirements():
            name, version = requirement.split("==")
            installed = self.installed_version(name)
            if installed != version:
                done = subprocess.run(
                    [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
                    capture_output=True, text=True)
                if done.returncode != 0:
                    self.missing[name] = last_line(done.stderr) or "pip failed"
                    print(f"missing: {name}: {self.missing[name]}", flush=True)
                    continue
            self.versions[name] = version

    def leave_out_peers(self):
        self.missing = {requirement.split("==")[0]: "left out" for requirement in requirements()}

    def installed_version(self, name):
        program = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
        done = subprocess.run([self.python, "-c", program, name], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    def peer(self, name):
        """The start of the command line of a library's driver."""
        return [str(self.python), str(PACKAGE / "peers/peer.py"), name]

    def s5cmd(self):
        """The program itself, not the script in front of it."""
        found = sorted(PEERS.glob("lib/python*/site-packages/s5cmd/bin/s5cmd"))
        return str(found[0]) if found else shutil.which("s5cmd")

    def rclone(self):
        return str(PEERS / "bin/rclone")


def build_package():
    """Builds this package in release. `BUILD_PREFIX` goes in front, such as `nice -n 19`."""
    prefix = os.environ.get("BUILD_PREFIX", "").split()
    command = [*prefix, "swift", "build", "-c", "release", "--package-path", str(PACKAGE)]
    if sys.platform == "linux":
        # As programs for servers are shipped: nothing of Swift needs to be there, and they start 10 ms earlier.
        command.append("--static-swift-stdlib")
    subprocess.run(command, check=True)
    # A program of the library's own package, into the same folder.
    subprocess.run([*command, "--product", "bench-micro"], check=True)


def program_folder():
    return PACKAGE / ".build/release"


def requirements():
    lines = (PACKAGE / "peers/versions.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip()[:160] if lines else ""
