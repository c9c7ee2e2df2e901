"""Bars in SVG."""
from html import escape
from math import ceil, floor, log10

from .figures import Figures

LABELS, BARS, VALUES, ROW, TOP = 250, 420, 90, 24, 74
COLOURS = {"ours": "#e4572e", "floor": "#9aa5b1", "curl": "#4c7a9f", "peer": "#7fb3a7"}


def chart(result):
    """A bar for each contestant by its median, with a line from the least to the most."""
    figures = Figures(result)
    is_wall = figures.metric == "wall"
    values = [row.wall if is_wall else row.peak for row in figures.rows]
    scale = Scale(values + [row.most for row in figures.rows if is_wall], is_wall)
    height = TOP + ROW * len(values) + 12
    width = LABELS + BARS + VALUES
    unit = "seconds of the whole process, median" if is_wall else "MiB, peak of resident memory, median"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="12" y="22" font-size="15" font-weight="600">{escape(result["title"])}</text>',
        f'<text x="12" y="42" fill="#667">{unit}{"; logarithmic" if scale.is_log else ""}</text>',
    ]
    for mark in scale.marks():
        x = LABELS + scale.place(mark)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - 10}" stroke="#e3e6ea"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP - 9}" fill="#99a" font-size="10" text-anchor="middle">{mark:g}</text>')
    for index, (row, value) in enumerate(zip(figures.rows, values)):
        y = TOP + ROW * index
        middle = y + ROW / 2
        weight = "600" if row.role == "ours" else "400"
        parts.append(
            f'<text x="{LABELS - 8}" y="{middle + 4:.1f}" text-anchor="end" font-weight="{weight}">{escape(row.name)}</text>')
        parts.append(
            f'<rect x="{LABELS}" y="{y + 4}" width="{max(scale.place(value), 1):.1f}" height="{ROW - 8}" '
            f'fill="{COLOURS[row.role]}"/>')
        if is_wall:
            ends = [LABELS + scale.place(end) for end in (row.least, row.most)]
            parts.append(
                f'<line x1="{ends[0]:.1f}" y1="{middle:.1f}" x2="{ends[1]:.1f}" y2="{middle:.1f}" stroke="#334"/>')
        end = LABELS + scale.place(max(value, row.most) if is_wall else value)
        text = f"{value:.3f}" if is_wall else f"{value:.1f}"
        parts.append(f'<text x="{end + 6:.1f}" y="{middle + 4:.1f}">{text}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


class Scale:
    """From values to points. Logarithmic where the largest bar would leave nothing of the smallest."""

    def __init__(self, values, may_be_log):
        least, self.most = min(values), max(values) * 1.1
        self.is_log = may_be_log and least > 0 and self.most / least > 20
        self.low = 10 ** floor(log10(least)) if self.is_log else 0

    def place(self, value):
        if not self.is_log:
            return BARS * value / self.most
        return BARS * log10(max(value, self.low) / self.low) / log10(self.most / self.low)

    def marks(self):
        if self.is_log:
            powers = range(round(log10(self.low)), ceil(log10(self.most)))
            marks = [step * 10.0 ** power for power in powers for step in (1, 2, 5)]
            return [mark for mark in marks if mark <= self.most]
        step = 10 ** floor(log10(self.most))
        if self.most / step < 2.5:
            step /= 4
        return [step * index for index in range(int(self.most / step) + 1)]
