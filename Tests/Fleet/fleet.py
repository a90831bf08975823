"""Machines that share settings and a Redis: folders with a home of their own, hence a cache and a budget file of their own."""

import json
import os
import pathlib
import subprocess
import threading
import time
from collections import namedtuple

from upstream import PROVIDER

BITPAL = pathlib.Path(os.environ["BITPAL"]).resolve()

# `make coverage` wants to know the lines that a process runs.
PROFILES = os.environ.get("BITPAL_TEST_PROFILES")
PROFILING = {"LLVM_PROFILE_FILE": PROFILES + "/%8m.profraw"} if PROFILES else {}

# How much later than its own deadline a command may end: a process must start and end, on a machine that is busy.
SLACK = 0.3

# The breaker and the window after an outage, during which machines keep to their shares.
BREAKER, WINDOW = 3, 1

Ending = namedtuple("Ending", "status out errors began took")


class Machine:
    """A home of its own, in which the tool runs by the settings of its fleet."""

    def __init__(self, folder, settings, variables=None):
        folder.mkdir()
        self.folder = folder
        self.environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "BITPAL_CONFIG": str(settings), **PROFILING,
            **(variables or {})}

    def start(self, *words, **more):
        return subprocess.Popen(
            [BITPAL, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def run(self, *words, limit=60):
        began = time.monotonic()
        process = self.start(*words)
        try:
            out, errors = process.communicate(timeout=limit)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        return Ending(process.returncode, out, errors, began, time.monotonic() - began)

    def done(self, *words):
        ending = self.run(*words)
        assert ending.status == 0, f"bitpal {' '.join(words)} ended with {ending.status}: {ending.errors}"
        return ending

    def price(self, coin, *options):
        """The row of a coin; it must be answered."""
        return row(self.done("price", coin, "--format", "json", *options))


def row(ending):
    return json.loads(ending.out)["prices"][0]


def warnings(ending):
    """What it says of the fleet. Of a process that holds a lock while it waits for its turn, others may complain."""
    return [line for line in ending.errors.splitlines() if line.startswith("bitpal: warning: the fleet's Redis")]


class Fleet:
    """So many machines in a folder, which ask one source."""

    def __init__(self, folder, upstream, redis, machines=3, rate="10/1s", fleet="", settings="", provider="", variables=None):
        (folder / "providers").mkdir(parents=True)
        (folder / "providers/market.yaml").write_text(PROVIDER % (upstream.url, rate) + provider)
        self.settings = folder / "config.yaml"
        self.settings.write_text(
            f"bitpal: 1\nprovider: market\nconvert: none\nproviders_dir: providers\n{settings}\n"
            f"fleet:\n  redis: {redis}\n  members: {max(2, machines)}\n{fleet}\n")
        self.machines = [Machine(folder / f"machine-{number}", self.settings, variables) for number in range(machines)]

    def all_at_once(self, *questions):
        """Runs `(machine, words…)` together; how each ended."""
        endings = [None] * len(questions)

        def run(index, machine, *words):
            endings[index] = machine.run(*words)
        threads = [threading.Thread(target=run, args=(index, *question)) for index, question in enumerate(questions)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return endings


class Load:
    """Keeps so many processes of each machine asking, each for a coin that nobody has asked for, while a `with` lasts."""

    def __init__(self, machines, each, timeout=3, wait=3):
        self.machines, self.each, self.most = machines, each, timeout + wait
        self.options = ["--timeout", f"{timeout}s", "--wait", f"{wait}s"]
        self.is_over, self.endings, self.lock = threading.Event(), {machine: [] for machine in machines}, threading.Lock()

    def __enter__(self):
        self.threads = [
            threading.Thread(target=self.ask, args=(machine, f"coin-{number}-{slot}"))
            for slot in range(self.each) for number, machine in enumerate(self.machines)]
        for thread in self.threads:
            thread.start()
            # Were they all started at once, their first requests would be on their way for longer than others.
            time.sleep(0.1)
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        self.ended = time.monotonic()
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def ask(self, machine, coin):
        count = 0
        while not self.is_over.is_set():
            count += 1
            ending = machine.run("price", f"{coin}-{count}", *self.options)
            with self.lock:
                self.endings[machine].append(ending)
            if ending.status != 0:
                # Whoever is refused does not ask again at once.
                self.is_over.wait(0.2)

    @property
    def all_endings(self):
        return [ending for endings in self.endings.values() for ending in endings]


# By how much one request may be longer on its way than another, on a machine that is busy: a process that has its token may
# have to wait for a processor.
JITTER = 0.2


def fullest_window(requests, seconds=1.0):
    """The most requests in any stretch of time of that length."""
    times, first, most = sorted(request.time for request in requests), 0, 0
    for last, instant in enumerate(times):
        while instant - times[first] >= seconds:
            first += 1
        most = max(most, last - first + 1)
    return most
