"""A source on this machine that notes when it is asked; a process of its own, so that nothing here keeps it from looking.

Run as a program it serves until its standard input ends. What a test wants of it are requests too, under `/test/`.
"""

import collections
import json
import os
import pathlib
import selectors
import socket
import subprocess
import sys
import time
import urllib.request
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

PROVIDER = """\
id: market
name: Market
kind: http
attribution: Prices made by a test
base_url: %s
rate_limit: %s
quotes:
  get: /quotes?ids={ids}
  batch: 250
  time: iso8601
  each: $
  fields: { id: $.id, symbol: $.symbol, name: $.name, price: $.price, time: $.time }
"""

Request = collections.namedtuple("Request", "time coins status")


class Upstream:
    """The source, for as long as a `with` lasts."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, pathlib.Path(__file__)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()

    @property
    def requests(self):
        """What it was asked, in the order of their times."""
        return [Request(*row) for row in json.loads(self.told("log"))]

    def forget(self):
        self.told("forget")

    def answers(self, status=200, delay=0.0, retry_after=""):
        """How it answers from now on; every answer has a price of its own, the number of its request."""
        self.told(f"answers?status={status}&delay={delay}&retry_after={retry_after}")

    def told(self, what):
        with urllib.request.urlopen(f"{self.url}/test/{what}", timeout=10) as page:
            return page.read()


class Serving:
    """One thread that looks at all connections: a request's time is when its first bytes could be read."""

    def __init__(self):
        self.log, self.manner, self.due = [], {"status": "200", "delay": "0", "retry_after": ""}, []
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.listener.setblocking(False)
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.selector.register(sys.stdin, selectors.EVENT_READ, None)

    def run(self):
        print(f"http://127.0.0.1:{self.listener.getsockname()[1]}", flush=True)
        while True:
            wait = max(0.0, self.due[0][0] - time.monotonic()) if self.due else None
            for key, _ in self.selector.select(wait):
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is self.listener:
                    connection, _ = self.listener.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.selector.register(connection, selectors.EVENT_READ, bytearray())
                else:
                    self.read(key.fileobj, key.data, time.monotonic())
            while self.due and self.due[0][0] <= time.monotonic():
                _, connection, answer = self.due.pop(0)
                self.send(connection, answer)

    def read(self, connection, begun, now):
        try:
            more = connection.recv(65_536)
        except OSError:
            more = b""
        begun += more
        if not more:
            self.close(connection)
        elif begun.endswith(b"\r\n\r\n"):
            url = urlsplit(begun.split(b" ")[1].decode())
            begun.clear()
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            if url.path.startswith("/test/"):
                self.send(connection, self.told(url.path, query))
            elif "ids" not in query:
                self.send(connection, response(404, "{}"))
            else:
                self.due.append((now + float(self.manner["delay"]), connection, self.answer(now, query["ids"].split(","))))
                self.due.sort(key=lambda row: row[0])

    def told(self, path, query):
        if path == "/test/forget":
            self.log.clear()
        elif path == "/test/answers":
            self.manner |= {"retry_after": ""} | query
        return response(200, json.dumps(self.log) if path == "/test/log" else "")

    def answer(self, now, coins):
        status = int(self.manner["status"])
        self.log.append((now, coins, status))
        if status != 200:
            pause = self.manner["retry_after"]
            return response(status, "{}", f"Retry-After: {pause}\r\n" if pause else "")
        instant = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return response(200, json.dumps([
            {"id": coin, "symbol": coin, "name": coin, "price": len(self.log), "time": instant} for coin in coins]))

    def send(self, connection, answer):
        try:
            connection.sendall(answer)
        except OSError:
            self.close(connection)

    def close(self, connection):
        # An answer that is still due goes to nobody.
        self.due = [row for row in self.due if row[1] is not connection]
        if connection.fileno() >= 0:
            self.selector.unregister(connection)
            connection.close()


def response(status, body, headers=""):
    return (f"HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            f"{headers}\r\n{body}").encode()


if __name__ == "__main__":
    try:
        # Before those whom it measures, where that is allowed.
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except PermissionError:
        pass
    Serving().run()
