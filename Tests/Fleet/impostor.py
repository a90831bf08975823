"""Listeners that are no Redis."""

import contextlib
import socket
import threading
import time


class Impostor:
    """Does `manner(connection)` with everyone who connects, for as long as a `with` lasts."""

    def __init__(self, manner):
        self.manner, self.connections = manner, 0

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = f"redis://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError), connection:
            self.manner(connection)


def says(words, then=None):
    """Says the same whatever it is told, and then goes on in another manner."""
    def manner(connection):
        connection.recv(65_536)
        connection.sendall(words)
        (then or says_nothing)(connection)
    return manner


def says_nothing(connection):
    while connection.recv(65_536):
        pass


def closes_at_once(_):
    pass


def never_ends(begin, piece=b"x" * 65_536):
    def manner(connection):
        connection.sendall(begin)
        while True:
            connection.sendall(piece)
    return manner


def drips(words, pause):
    def manner(connection):
        for byte in words:
            connection.sendall(bytes([byte]))
            time.sleep(pause)
    return manner


def through(redis, most):
    """Hands on what a real server says, but for so many bytes and no more."""
    def manner(connection):
        with socket.create_connection(("127.0.0.1", redis.port)) as server:
            connection.settimeout(0.01)
            server.settimeout(0.01)
            left = most
            while left > 0:
                for source, target, count in [(connection, server, 65_536), (server, connection, left)]:
                    with contextlib.suppress(TimeoutError):
                        said = source.recv(count)
                        if not said:
                            return
                        target.sendall(said)
                        left -= len(said) if source is server else 0
    return manner


MANNERS = {
    "speaks HTTP": says(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", closes_at_once),
    "says nothing": says_nothing,
    "closes at once": closes_at_once,
    "sends a line without an end": never_ends(b"+"),
    "sends a text without an end": never_ends(b"$1000000000\r\n"),
    "sends texts without an end": never_ends(b"*100000\r\n", b"$1000000\r\n" + b"x" * 1_000_000 + b"\r\n"),
    "sends numbers without an end": never_ends(b"*1000000\r\n", b":1\r\n" * 10_000),
    "sends replies without an end": never_ends(b"", b"+OK\r\n" * 10_000),
    "sends arrays in arrays": never_ends(b"", b"*1\r\n" * 10_000),
    "announces a length that is none": says(b"$-2\r\n"),
    "announces more than there can be": says(b"*9223372036854775807\r\n"),
    "sends a number that is none": says(b":99999999999999999999999\r\n"),
    "drips": drips(b"$100\r\n" + b"x" * 100 + b"\r\n", 0.05),
    "says OK to everything": says(b"+OK\r\n" * 50),
    "says nil to everything": says(b"$-1\r\n" * 50),
    "says 1 to everything": says(b":1\r\n" * 50),
    "says arrays of nothing": says(b"*0\r\n" * 50),
    "says that it is loading": says(b"-LOADING Redis is loading the dataset in memory\r\n" * 50),
    "speaks the third version": says(b"%1\r\n+a\r\n+b\r\n"),
    "greets in TLS": says(b"\x15\x03\x01\x00\x02\x02\x46"),
    "sends control characters": says(b"-ERR \x1b[2J\x07\x00 you\r\n"),
}
