"""Runs the contestants of a work load in turn."""
import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from .sink import Sink
from .tools import last_line

#: The keys that all clients sign with; the server looks at none.
KEYS = {
    "ACCESS_KEY": "benchmarkaccesskey", "SECRET_KEY": "benchmarksecretkey",
    "AWS_ACCESS_KEY_ID": "benchmarkaccesskey", "AWS_SECRET_ACCESS_KEY": "benchmarksecretkey",
    "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
}


#: Seconds above which a program is run three times alone: its figures need no more, and the others' time is better spent.
LONG = 5


class Failure(Exception):
    """A contestant did not do what was asked, in one line."""


class Race:
    """One work load: its servers and its contestants, for as many rounds as asked for."""

    def __init__(self, tools, data, load, settings, certificate):
        self.tools, self.data, self.load, self.settings = tools, data, load, settings
        self.certificate = certificate() if load.tls else None
        self.report = Path(tempfile.mkstemp(prefix="bench-time-")[1])

    def run(self):
        """All measurements by contestant, and why others have none."""
        contestants = self.load.make()
        if self.settings.only:
            contestants = [one for one in contestants if one.name in self.settings.only]
        sinks = {}
        try:
            for crc in {one.crc for one in contestants}:
                options = self.load.sink + (["--crc"] if crc else [])
                sinks[crc] = Sink(self.tools, options, self.certificate)
            return self.rounds(contestants, sinks)
        finally:
            for sink in sinks.values():
                sink.stop()
            self.report.unlink()

    def rounds(self, contestants, sinks):
        measured = {one.name: [] for one in contestants}
        failed = {}
        total = min(self.settings.rounds, self.load.most_rounds)
        rounds_of = {one.name: total for one in contestants}
        # The first round warms up and is not counted.
        for number in range(total + 1):
            for index, one in enumerate(contestants):
                if one.name in failed or number > rounds_of[one.name]:
                    continue
                try:
                    figures = self.once(one, sinks[one.crc], f"{index}-{number}")
                    if number:
                        measured[one.name].append(figures)
                    elif figures["wall"] > LONG:
                        rounds_of[one.name] = min(total, 3)
                except Failure as failure:
                    failed[one.name] = str(failure)
                    print(f"  {one.name}: {failure}", flush=True)
            print(f"  round {number} of {total}", flush=True)
        roles = {one.name: one.role for one in contestants}
        return {
            name: {"role": roles[name], "rounds": runs} for name, runs in measured.items() if runs and name not in failed
        }, failed

    def once(self, one, sink, key):
        record = self.data.records / f"{key}.checkpoint"
        self.data.target().unlink(missing_ok=True)
        values = {"endpoint": sink.endpoint, "key": f"object-{key}", "record": str(record)}
        sink.reset()
        if one.prepare:
            self.perform(filled(one.prepare, values))
        before = sink.stats()
        output = self.perform([self.tools.program("bench-time"), str(self.report), *filled(one.command, values)])
        stats = sink.stats()
        figures = json.loads(self.report.read_text())
        figures["op"] = seconds_told(output)
        for name in stats:
            figures[name] = stats[name] if name == "most_in_flight" else stats[name] - before[name]
        record.unlink(missing_ok=True)
        if self.load.expects:
            name, least = self.load.expects
            if stats[name] < least:
                raise Failure(f"the server saw {name} {stats[name]}, and was to see {least}")
        return figures

    def perform(self, command):
        environment = dict(os.environ, **KEYS)
        if self.certificate:
            for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "AWS_CA_BUNDLE"):
                environment[name] = str(self.certificate.certificate)
        try:
            process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                start_new_session=True)
        except OSError as error:
            raise Failure(str(error)) from None
        try:
            output, errors = process.communicate(timeout=self.settings.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"took over {self.settings.timeout} s") from None
        if process.returncode != 0:
            raise Failure(last_line(errors) or last_line(output) or f"status {process.returncode}")
        return output


def filled(command, values):
    for name, value in values.items():
        command = [word.replace("{" + name + "}", value) for word in command]
    return command


def seconds_told(output):
    """What the program says that the transfer itself took; None for programs that say nothing."""
    for line in output.splitlines():
        if line.startswith('{"op_s"'):
            return json.loads(line)["op_s"]
    return None
