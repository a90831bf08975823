"""A source whose prices follow from coin and second, and that fails in one of eight ways in about every third request.

Run as a program, with a seed, it serves until its standard input ends. `/test/calm` ends the failures.
"""

import pathlib
import random
import sys
import zlib
from datetime import UTC, datetime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Fleet"))

from upstream import Serving, response  # noqa: E402


def price(coin, time):
    """The true price of a coin at a time that the source gave for it, as `2026-01-31T12:00:00`, without a last digit of 0."""
    number = zlib.crc32(f"{coin} {time}".encode())
    return f"{number % 100_000 + 1}.{number // 100_000 % 1000:03}1"


class CutOff(bytes):
    """An answer after which the connection ends."""


class Market(Serving):
    def __init__(self, seed):
        super().__init__()
        self.random, self.is_calm = random.Random(seed), False

    def told(self, path, query):
        if path == "/test/calm":
            self.is_calm = True
        return super().told(path, query)

    def answer(self, now, coins):
        time = datetime.now(UTC).isoformat(timespec="seconds").partition("+")[0]
        rows = ",".join(f'{{"id":"{coin}","symbol":"{coin}","name":"{coin}","price":{price(coin, time)},"time":"{time}Z"}}' for coin in coins)
        whole = response(200, f"[{rows}]")
        kind = "whole" if self.is_calm or self.random.random() < 0.65 else self.random.choice(
            ["429", "503", "slow", "cut off", "page", "empty", "closed", "500"])
        # Of the next answer, whatever it will be.
        self.manner["delay"] = str(self.random.uniform(0.5, 4)) if kind == "slow" else "0"
        self.log.append((now, coins, kind))
        match kind:
            case "429" | "503" | "500":
                pause = f"Retry-After: {self.random.randint(1, 3)}\r\n" if kind != "500" else ""
                return response(int(kind), "{}", pause)
            case "cut off":
                return CutOff(whole[:self.random.randint(20, len(whole) - 1)])
            case "page":
                return response(200, "<!doctype html><title>We are back soon</title>")
            case "empty":
                return response(200, "")
            case "closed":
                return CutOff()
            case _:
                return whole

    def send(self, connection, answer):
        super().send(connection, answer)
        if isinstance(answer, CutOff):
            self.close(connection)


if __name__ == "__main__":
    Market(sys.argv[1]).run()
