"""Keeps the figures of each work load, and writes the pages from all that are kept."""
import json

from .charts import chart
from .figures import micro_table, table

INTRODUCTION = """# Benchmarks

Written by `make bench`; see `Benchmarks/run --help`. Every program moves the same bytes to or from the same server on the loopback
interface, which keeps nothing and is not what is measured. The programs run in turn, round after round, so that whatever else
the machine does meets all of them. Times are of whole processes, from start to exit, and medians; *transfer* is what a program says
that the work itself took. *curl* is one `curl`, which sums nothing and sends one stream. *floor* is a bare program over libcurl's multi
interface that signs and records nothing. This library sums the CRC-64 of all it sends and keeps a checkpoint on the disk, unless
said otherwise. *no sums*: a peer that was told to sum nothing, as far as it can be told. Programs that take over five seconds are run three times alone. This
library and Swift's runtime are linked into one program (`--static-swift-stdlib`).
"""


class Report:
    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "results.json"
        self.results = json.loads(self.file.read_text()) if self.file.exists() else {}

    def keep(self, name, result):
        self.results[name] = result
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.results, indent=1, ensure_ascii=False) + "\n")

    def write(self, order):
        """The page and a chart for each work load, in that order."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = [INTRODUCTION]
        for name in order:
            if name in self.results:
                lines += self.section(name, self.results[name])
        (self.folder / "README.md").write_text("\n".join(lines))

    def section(self, name, result):
        lines = [f"## {result['title']}", "", summary(name, result), ""]
        if "steps" in result:
            return lines + micro_table(result["steps"]) + [""]
        if result["contestants"]:
            (self.folder / f"{name}.svg").write_text(chart(result))
            lines += [f"![{result['title']}]({name}.svg)", ""]
        return lines + table(result) + [""]


def summary(name, result):
    machine = result["machine"]
    rounds = f", {result['rounds']} rounds" if "rounds" in result else ""
    # What was left out on purpose must not look as if it could not take part.
    alone = ", these alone" if result.get("only") else ""
    versions = ", ".join(machine[key] for key in ("Swift", "curl", "OpenSSL"))
    return (
        f"`{name}`{rounds}{alone}, {machine['date']}, {machine['commit']}: {machine['cores']} cores of {machine['processor']}, "
        f"{machine['memory']}, Linux {machine['kernel']}, load {machine['load before']} before. {versions}, Python "
        f"{machine['Python']}; {machine['peers'] or 'no peers'}. Missing: {machine['missing']}.")
