"""Debian's redis-server, started by a test and ended with it, and as much of a client as a test needs."""

import pathlib
import signal
import socket
import ssl
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    """A server on a port of this machine, or on a socket, for as long as a `with` lasts."""

    def __init__(self, *words, password="", tls=None, on_socket=False):
        self.words, self.password, self.tls, self.on_socket = words, password, tls, on_socket
        self.port = 0 if on_socket else free_port()
        self.process = None

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="bitpal-fleet-redis-")
        self.folder = pathlib.Path(self.kept.name)
        self.socket = self.folder / "redis.sock"
        try:
            self.start()
        except BaseException:
            self.kept.cleanup()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        self.kept.cleanup()

    @property
    def address(self):
        """As the settings name it."""
        if self.on_socket:
            return f"unix://{self.socket}"
        return f"redis{'s' if self.tls else ''}://127.0.0.1:{self.port}"

    def start(self):
        """Starts it, or again: on the same port, and without what it had."""
        words = ["redis-server", "--save", "", "--appendonly", "no", "--dir", self.folder, *self.words]
        if self.on_socket:
            words += ["--port", "0", "--unixsocket", self.socket]
        elif self.tls:
            words += ["--port", "0", "--tls-port", self.port, "--tls-auth-clients", "no", "--tls-cert-file", self.tls.certificate,
                      "--tls-key-file", self.tls.key, "--tls-ca-cert-file", self.tls.authority, "--bind", "127.0.0.1"]
        else:
            words += ["--port", self.port, "--bind", "127.0.0.1"]
        if self.password:
            words += ["--requirepass", self.password]
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while True:
            try:
                self.ask("PING")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.kill()
                    raise AssertionError("redis-server: " + (self.folder / "log").read_text()) from None
                time.sleep(0.02)

    def kill(self):
        if self.process and self.process.poll() is None:
            # One that is stopped is ended by nothing less.
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=10)

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def ask(self, *words, database=0):
        """What it says to a command: a text, a number, None or a list of them."""
        with self.connection() as connection, connection.makefile("rb") as replies:
            def said(*words):
                parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
                connection.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts))
                return reply(replies)
            if self.password:
                said("AUTH", self.password)
            if database:
                said("SELECT", database)
            return said(*words)

    def connection(self):
        if self.on_socket:
            plain = socket.socket(socket.AF_UNIX)
            plain.settimeout(5)
            try:
                plain.connect(str(self.socket))
            except OSError:
                plain.close()
                raise
            return plain
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        if not self.tls:
            return plain
        return ssl.create_default_context(cafile=self.tls.authority).wrap_socket(plain, server_hostname=self.tls.name)

    def has_counted_long(self, prefix="bitpal"):
        """As if the budgets had been whole for years: a fleet whose Redis is new keeps to its shares for a while."""
        run_id = next(line for line in self.ask("INFO", "server").decode().splitlines() if line.startswith("run_id:"))
        self.ask("SET", f"{prefix}:1:since", f"{run_id.removeprefix('run_id:')} token 1 0")

    def keys(self, pattern="*", database=0):
        return sorted(key.decode() for key in self.ask("KEYS", pattern, database=database))


class Refusal(Exception):
    """What Redis says when it does not do what was asked."""


def reply(replies):
    line = replies.readline()
    if not line.endswith(b"\r\n"):
        raise OSError("the connection was closed")
    kind, text = line[:1], line[1:-2]
    if kind == b"-":
        raise Refusal(text.decode())
    if kind == b"+":
        return text.decode()
    if kind == b":":
        return int(text)
    if int(text) < 0:
        return None
    if kind == b"$":
        return replies.read(int(text) + 2)[:-2]
    return [reply(replies) for _ in range(int(text))]


class Certificates:
    """An authority of our own, and a server's certificate by it, made by openssl in a folder."""

    def __init__(self, folder, name="127.0.0.1"):
        self.name = name
        self.authority, self.certificate, self.key = folder / "ca.pem", folder / "server.pem", folder / "server.key"
        run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=A fleet's authority", "-keyout", folder / "ca.key", "-out", self.authority)
        run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
            "-keyout", self.key, "-out", folder / "server.csr")
        (folder / "names").write_text(f"subjectAltName={'IP' if name[0].isdigit() else 'DNS'}:{name}\n")
        run("x509", "-req", "-in", folder / "server.csr", "-CA", self.authority, "-CAkey", folder / "ca.key", "-set_serial", "2",
            "-days", "2", "-extfile", folder / "names", "-out", self.certificate)


def run(*words):
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
