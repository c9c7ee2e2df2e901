"""The server that everything is measured against."""
import http.client
import json
import socket
import ssl
import subprocess
import time


class Sink:
    """A running bench-sink on a port of its own."""

    def __init__(self, tools, options, certificate=None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [tools.program("bench-sink"), "--port", str(self.port), *options]
        context = None
        if certificate:
            command += ["--tls", str(certificate.certificate), str(certificate.key)]
            context = ssl.create_default_context(cafile=certificate.certificate)
        self.endpoint = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(command)
        self.wait_until_it_listens()
        # One connection for all questions, so that it counts for nobody's.
        if certificate:
            self.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        self.reset()

    def wait_until_it_listens(self):
        for _ in range(200):
            if self.process.poll() is not None:
                raise RuntimeError("the server did not start")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    def ask(self, path):
        self.connection.request("GET", path)
        return json.loads(self.connection.getresponse().read())

    def stats(self):
        return self.ask("/_stats")

    def reset(self):
        return self.ask("/_reset")

    def stop(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()


class Certificate:
    """A certificate for 127.0.0.1, made for this run."""

    def __init__(self, folder):
        self.certificate = folder / "certificate.pem"
        self.key = folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.key,
             "-out", self.certificate],
            check=True, capture_output=True)
