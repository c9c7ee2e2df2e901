"""Medians and ratios of what was measured."""
from statistics import median


class Figures:
    """The contestants of one work load, the fastest (or smallest) first."""

    def __init__(self, result):
        self.result = result
        self.metric = result["metric"]
        rows = [Row(name, entry) for name, entry in result["contestants"].items()]
        # Those of one program by size are an order of their own.
        self.rows = sorted(rows, key=lambda row: row.wall) if self.metric == "wall" else rows

    def best(self, role):
        """The least wall time of a role; None where nobody has it."""
        return min((row.wall for row in self.rows if row.role == role), default=None)

    def named(self, name):
        return next((row.wall for row in self.rows if row.name == name), None)


class Row:
    def __init__(self, name, entry):
        self.name = name
        self.role = entry["role"]
        self.rounds = entry["rounds"]
        self.wall = self.median("wall")
        self.least = min(one["wall"] for one in self.rounds)
        self.most = max(one["wall"] for one in self.rounds)
        self.op = self.median("op")
        self.cpu = median(one["user"] + one["system"] for one in self.rounds)
        self.peak = self.median("peak_kib") / 1024

    def median(self, name):
        values = [one[name] for one in self.rounds if one[name] is not None]
        return median(values) if values else None


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}f}"


def ratio(value, base):
    return "–" if value is None or not base else f"{value / base:.2f}"


def table(result):
    """Lines of Markdown."""
    figures = Figures(result)
    floor, curl, peer = figures.named("floor"), figures.named("curl"), figures.best("peer")
    head = ["program", "wall s", "least–most", "transfer s", "÷ curl", "÷ floor", "÷ best peer",
            f"CPU s / {result['unit']}", "peak MiB", "requests", "connections", "in flight"]
    lines = [line(head), line(["---"] * len(head))]
    for row in figures.rows:
        lines.append(line([
            f"**{row.name}**" if row.role == "ours" else row.name, number(row.wall),
            f"{number(row.least)}–{number(row.most)}", number(row.op), ratio(row.wall, curl), ratio(row.wall, floor),
            ratio(row.wall, peer), number(row.cpu / result["amount"]), number(row.peak, 1),
            number(row.median("requests"), 0), number(row.median("connections"), 0),
            number(row.median("most_in_flight"), 0)]))
    for name, reason in result["failed"].items():
        lines.append(line([name, "did not run: " + reason.replace("|", "/")] + [""] * (len(head) - 2)))
    return lines


def micro_table(steps):
    head = ["step", "ns each", "GiB/s"]
    lines = [line(head), line(["---"] * len(head))]
    for step in steps:
        speed = step.get("gib_per_s")
        lines.append(line([step["name"], f"{step['ns']:,.0f}", number(speed, 2)]))
    return lines


def line(cells):
    return "| " + " | ".join(cells) + " |"
