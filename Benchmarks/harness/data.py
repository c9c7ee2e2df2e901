"""What is moved: files in memory, so that no disk is measured."""
import os
import shutil
import tempfile
from pathlib import Path

MIB = 1 << 20


class Data:
    """A folder on a tmpfs, and one on the disk for checkpoints; both are gone afterwards."""

    def __init__(self, parent):
        self.folder = Path(tempfile.mkdtemp(prefix="object-transfer-bench-", dir=parent))
        self.records = Path(tempfile.mkdtemp(prefix="object-transfer-bench-"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.records, ignore_errors=True)

    def file(self, size):
        """A file of bytes that nothing can make smaller."""
        path = self.folder / f"{size}.bin"
        if not path.exists():
            block = os.urandom(min(size, 64 * MIB))
            with open(path, "wb") as file:
                for offset in range(0, size, len(block)):
                    file.write(block[:size - offset])
        return path

    def sparse(self, size):
        """A file of so many bytes that take no memory."""
        path = self.folder / f"{size}.sparse"
        with open(path, "wb") as file:
            file.truncate(size)
        return path

    def small(self, count, size):
        folder = self.folder / f"small-{count}"
        if not folder.exists():
            folder.mkdir()
            for number in range(count):
                (folder / f"{number:05}.bin").write_bytes(os.urandom(size))
        return folder

    def target(self):
        """Where downloads go."""
        return self.folder / "downloaded"
