"""Usage: soak.py SECONDS SEED

Servers, watches, commands, purchases and imports on one machine and on a fleet of two, over sources that fail at random, with kills,
clocks that are wrong, a disk that is full (as root) and a Redis that comes and goes. What must always hold is checked all the time:

* no window of a budget is over, counted at the source;
* every price is the source's for its coin and time, and one that is not marked stale is not old;
* what was acknowledged is stored once, what was not at most once, and an import as a whole;
* servers answer, and their memory and descriptors stay flat;
* no process ends by a signal that it was not sent;
* after the last failure everything answers again.

Ends with status 1 at the first that does not hold, and keeps the folder.
"""

import collections
import contextlib
import http.client
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Fleet"))

import upstream  # noqa: E402
from case import wrong_clock  # noqa: E402
from fleet import BITPAL, Machine, fullest_window  # noqa: E402
from market import price  # noqa: E402
from redis_server import Redis  # noqa: E402

SECONDS, SEED = float(sys.argv[1]), sys.argv[2]
COINS = [f"coin-{number}" for number in range(24)]
# Requests and seconds. By the jitter a request may be longer on its way than another, on a machine that is busy.
LIMITS, JITTER = [(12, 5), (60, 60)], 1.5
FRESH = 5  # seconds
PATIENCE = 20  # seconds that a machine with much to do may be late
MIB = 1024

over = threading.Event()
broken = []
counts = collections.Counter()
# What happened last, for the report of what does not hold.
trail = collections.deque(maxlen=80)


def note(what):
    trail.append(f"{time.monotonic():.2f} {what}")


def hold(condition, what):
    if not condition:
        broken.append(what)
        over.set()


def rng(name):
    return random.Random(f"{SEED} {name}")


def actor(function, *arguments, **more):
    """Repeats a function on a thread until all is over."""
    def act():
        chance = rng(f"{function.__name__} {arguments}")
        try:
            while not over.is_set():
                function(chance, *arguments, **more)
        except Exception:
            hold(False, traceback.format_exc())
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    return thread


class Market(upstream.Upstream):
    """The source, and the budget that it is asked by."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        program = pathlib.Path(__file__).with_name("market.py")
        self.process = subprocess.Popen([sys.executable, program, SEED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def check(self):
        requests = self.requests
        for limit, seconds in LIMITS:
            most = fullest_window(requests, seconds - JITTER)
            last = "\n".join(f"{request.time:.2f} {request.status} {','.join(request.coins)}" for request in requests[-2 * limit:])
            hold(most <= limit, f"{most} requests in {seconds - JITTER} s at {self.name}, which allows {limit} in {seconds} s:\n{last}")
        return collections.Counter(request.status for request in requests)


def settings(folder, market, fleet=""):
    (folder / "providers").mkdir(parents=True)
    rate = "[" + ", ".join(f"{limit}/{seconds}s" for limit, seconds in LIMITS) + "]"
    (folder / "providers/market.yaml").write_text(upstream.PROVIDER % (market.url, rate))
    file = folder / "config.yaml"
    file.write_text(
        f"bitpal: 1\nprovider: market\nconvert: none\nproviders_dir: providers\ncache:\n  ttl: {{ quotes: {FRESH}s }}\n{fleet}")
    return file


def check_rows(text, is_on_time=True):
    answer = json.loads(text)
    for row in answer["prices"]:
        counts["prices"] += 1
        moment = row["last_updated"].rstrip("Z").partition(".")[0]
        hold(row["price"] == price(row["id"], moment), f"{row} is not what the source says for that time")
        if row["stale"]:
            counts["stale prices"] += 1
        elif is_on_time:
            age = datetime.now(UTC) - datetime.fromisoformat(row["fetched_at"].replace("Z", "+00:00"))
            hold(age < timedelta(seconds=FRESH + PATIENCE), f"{row} is {age} old and not marked")


def run(chance, machine, *words, kills=0.25):
    """The status and the output of a command; None as the status when it was killed."""
    process = machine.start(*words)
    counts["commands"] += 1
    note(f"{process.pid} in {machine.folder.parent.name}/{machine.folder.name}, clock {machine.environment.get('WRONG_CLOCK', '0')}: {' '.join(words)}")
    if chance.random() < kills:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=chance.uniform(0, 0.6))
            return process.returncode, process.stdout, ""
        process.kill()
        note(f"{process.pid} killed")
        counts["kills"] += 1
    out, errors = process.communicate(timeout=120)
    if process.returncode == -signal.SIGKILL:
        return None, out, errors
    hold(process.returncode >= 0, f"bitpal {' '.join(words)} ended by signal {-process.returncode}: {errors}")
    return process.returncode, out, errors


def ask(chance, machine, skewed):
    coins = chance.sample(COINS, chance.randint(1, 4))
    is_on_time = chance.random() < 0.85
    if not is_on_time:
        counts["wrong clocks"] += 1
    words = ["price", *coins, "--wait", f"{chance.randint(0, 3)}s"]
    if chance.random() < 0.1:
        words = ["watch", *coins, "--every", "10s", "--count", "2"]
    status, out, errors = run(chance, machine if is_on_time else skewed(chance), *words, "--format", "json")
    if status is not None and isinstance(out, str):
        hold(status in (0, 1, 4, 5, 6), f"{words} ended with {status}: {errors}")
        for line in out.splitlines() if words[0] == "watch" else [out] if out else []:
            if '"prices"' in line:
                check_rows(line, is_on_time)
    over.wait(chance.uniform(0, 0.5))


class Ledger:
    """A portfolio of which is known what must be there: each transaction has an amount of its own."""

    def __init__(self, machine, imports):
        imports.mkdir()
        self.imports = imports
        self.machine, self.sure, self.perhaps, self.wholes = machine, set(), set(), []
        self.numbers, self.lock = itertools.count(1), threading.Lock()

    def add(self, chance, kills=0.25, must=False):
        """Records one transaction or a file of some; whether that was acknowledged."""
        amounts = [next(self.numbers) for _ in range(chance.randint(2, 9) if chance.random() < 0.4 else 1)]
        with self.lock:
            self.perhaps |= {*amounts}
            self.wholes.append(amounts)
        if len(amounts) == 1:
            words = ["buy", str(amounts[0]), chance.choice(COINS), "--price", "5"]
        else:
            file = self.imports / f"{amounts[0]}.csv"
            start = datetime(2024, 1, 1)
            file.write_text("date,type,coin,amount,price\n" + "".join(
                f"{(start + timedelta(minutes=amount)).isoformat()}Z,buy,{chance.choice(COINS)},{amount},5\n" for amount in amounts))
            words = ["portfolio", "import", str(file)]
        status, _, errors = run(chance, self.machine, *words, kills=kills)
        if status == 0:
            counts["acknowledged transactions"] += len(amounts)
            with self.lock:
                self.sure |= {*amounts}
        hold(not must or status == 0, f"{words} ended with {status}: {errors}")
        return status == 0

    def check(self, chance):
        with self.lock:
            sure = set(self.sure)
        status, out, errors = run(chance, self.machine, "portfolio", "transactions", "--format", "json", kills=0)
        hold(status == 0, f"portfolio transactions ended with {status}: {errors}")
        if status != 0:
            return
        found = collections.Counter(int(row["amount"]) for row in json.loads(out)["transactions"])
        hold(max(found.values(), default=1) == 1, f"recorded twice: {[amount for amount, count in found.items() if count > 1]}")
        hold(sure <= found.keys(), f"acknowledged and lost: {sorted(sure - found.keys())}")
        with self.lock:
            hold(found.keys() <= self.perhaps, f"never recorded: {sorted(found.keys() - self.perhaps)}")
            wholes = list(self.wholes)
        for amounts in wholes:
            there = [amount in found for amount in amounts]
            hold(all(there) or not any(there), f"half of an import: {amounts}")
        counts["looks at all transactions"] += 1


def keep_books(chance, ledger):
    ledger.add(chance)
    if chance.random() < 0.1:
        ledger.check(chance)
    over.wait(chance.uniform(0, 0.8))


def fill_disk(chance, ledger, machine, disk):
    """Leaves a few kilobytes, or none, records, makes room again, and records, which then must succeed."""
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
    filler = disk / "filler"
    filler.write_bytes(b"x" * max(0, free - chance.choice([0, 4096, 20_000, 60_000, 150_000])))
    counts["full disks"] += 1
    for _ in range(chance.randint(1, 4)):
        if not ledger.add(chance, kills=0.1):
            counts["refusals of a full disk"] += 1
        ask(chance, machine, lambda chance: machine)
    filler.unlink()
    ledger.add(chance, kills=0, must=True)
    ledger.check(chance)


class Server:
    """`bitpal serve`, with samples of its memory and its descriptors."""

    def __init__(self, machine, *words):
        self.process = machine.start("serve", "--listen", "127.0.0.1:0", *words)
        self.errors = collections.deque(maxlen=20)
        began = time.monotonic()
        self.url = self.process.stdout.readline().strip()
        hold(self.url, f"serve does not begin: {self.process.poll()}")
        hold(time.monotonic() - began < PATIENCE, "serve takes long to begin")
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.samples = []

    def sample(self, moment):
        hold(self.process.poll() is None, f"a server ended with {self.process.poll()}: {''.join(self.errors)}")
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            descriptors = len(os.listdir(f"/proc/{self.process.pid}/fd"))
            self.samples.append((moment, int(status.split("VmRSS:")[1].split()[0]) / MIB, descriptors))

    def check_flat(self):
        """The last third of the time must need about what the second third did."""
        thirds = [[sample for sample in self.samples if n <= sample[0] * 3 / SECONDS < n + 1] for n in range(3)]
        if not thirds[1] or not thirds[2]:
            return
        for name, index, spare in [("memory in MiB", 1, 10), ("descriptors", 2, 20)]:
            before, after = (max(sample[index] for sample in third) for third in thirds[1:])
            counts[f"most {name} of a server"] = max(counts[f"most {name} of a server"], round(after))
            hold(after <= before * 1.2 + spare, f"{name} of a server grew from {before:.0f} to {after:.0f}")


def poll(chance, server, isolated=False):
    coins = chance.sample(COINS, chance.randint(1, 8))
    path = chance.choice(["/healthz", "/metrics", *["/v1/price?currency=usd&coins=" + ",".join(coins)] * 6])
    try:
        with urllib.request.urlopen(server.url + path, timeout=60) as page:
            text = page.read().decode()
            counts["answers over HTTP"] += 1
            if path.startswith("/v1"):
                check_rows(text)
    except urllib.error.HTTPError as error:
        counts["refusals over HTTP"] += 1
        hold(error.code in (429, 502, 503, 504), f"{path} is answered with {error.code}: {error.read()[:500]}")
    over.wait(chance.uniform(0, 0.2))


def listen(chance, server):
    """Reads a stream of prices for some seconds, and leaves."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
    connection.request("GET", "/events?coins=" + ",".join(chance.sample(COINS, 3)))
    response, end = connection.getresponse(), time.monotonic() + chance.uniform(1, 20)
    while time.monotonic() < end and not over.is_set():
        line = response.readline()
        if line.startswith(b"data: ") and b'"bitpal.prices/1"' in line:
            counts["events"] += 1
            check_rows(line[6:])
    connection.close()


def restart(chance, machine):
    """A server that is killed again and again, in the home of others."""
    server = Server(machine)
    over.wait(chance.uniform(0.5, 6))
    if chance.random() < 0.5:
        server.process.kill()
        counts["killed servers"] += 1
    else:
        server.process.terminate()
    status = server.process.wait(timeout=60)
    hold(status in (0, -signal.SIGKILL), f"a server ended with {status}: {''.join(server.errors)}")
    for stream in (server.process.stdout, server.process.stderr):
        with contextlib.suppress(Exception):
            stream.close()


def disturb(chance, redis):
    """Kills, stops or empties the Redis, and lets it come back."""
    over.wait(chance.uniform(2, 10))
    counts["losses of Redis"] += 1
    manner = chance.randint(0, 2)
    note(f"Redis: {['killed', 'stopped', 'emptied'][manner]}")
    match manner:
        case 0:
            redis.kill()
            over.wait(chance.uniform(0, 6))
            redis.start()
        case 1:
            redis.stop()
            over.wait(chance.uniform(0, 6))
            redis.go_on()
        case _:
            redis.ask("FLUSHALL")
    note("Redis is there")


def soak(folder, opened):
    lone, shared = (opened.enter_context(Market(name)) for name in ["the source of one machine", "the source of a fleet"])
    redis = opened.enter_context(Redis())
    alone = settings(folder / "alone", lone)
    fleet = settings(folder / "fleet", shared, f"fleet:\n  redis: {redis.address}\n  members: 2\n")
    home = Machine(folder / "alone/home", alone)
    machines = [Machine(folder / f"fleet/home-{number}", fleet) for number in range(2)]

    def skewed(machine):
        def make(chance):
            other = Machine.__new__(Machine)
            other.folder = machine.folder
            other.environment = {
                **machine.environment, "LD_PRELOAD": str(wrong_clock()), "WRONG_CLOCK": str(chance.choice([-86_400, -3600, -30, 30, 3600, 86_400]))}
            return other
        return make

    servers = [Server(home), Server(machines[0])]
    ledgers = [Ledger(home, folder / "imports")]
    actors = [actor(ask, machine, skewed(machine)) for machine in [home, home, *machines]]
    actors += [actor(keep_books, ledgers[0]) for _ in range(2)]
    actors += [actor(poll, server) for server in servers] + [actor(listen, server) for server in servers]
    actors += [actor(restart, home), actor(disturb, redis)]
    disk = folder / "disk"
    if os.geteuid() == 0:
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=False).returncode == 0:
            opened.callback(subprocess.run, ["umount", "-l", disk], check=False)
            small = Machine(disk / "home", alone)
            # What it may ask for is counted with the others.
            small.environment["XDG_STATE_HOME"] = str(home.folder / ".local/state")
            ledgers.append(Ledger(small, folder / "imports-of-disk"))
            actors.append(actor(fill_disk, ledgers[-1], small, disk))

    began = time.monotonic()
    while (moment := time.monotonic() - began) < SECONDS and not over.wait(1):
        for server in servers:
            server.sample(moment)
        kinds = lone.check() + shared.check()
    over.set()
    for thread in actors:
        thread.join(timeout=150)
        if thread.is_alive():
            broken.append("something hangs")
    if broken:
        return
    for server in servers:
        server.check_flat()
    for ledger in ledgers:
        ledger.check(rng("end"))
    # What had failed answers again, when all pauses are over.
    for market, machine in [(lone, home), (shared, machines[1])]:
        market.told("calm")
        end = time.monotonic() + 120
        while (status := machine.run("price", *COINS, "--format", "json", "--wait", "20s").status) != 0 and time.monotonic() < end:
            time.sleep(1)
        hold(status == 0, f"two minutes after the last failure a price ends with {status}")
    for server in servers:
        server.process.terminate()
        hold(server.process.wait(timeout=60) == 0, f"a server ends with {server.process.returncode}")
    counts.update({f"source: {kind}": count for kind, count in kinds.items()})


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bitpal-soak-"))
    print(f"Soaking for {SECONDS:.0f} s with the seed {SEED} in {folder}, with {BITPAL}.", flush=True)
    with contextlib.ExitStack() as opened:
        try:
            soak(folder, opened)
        except Exception:
            broken.append(traceback.format_exc())
        over.set()
    for name, count in sorted(counts.items()):
        print(f"{count:9,}  {name}")
    if broken:
        newline = "\n"
        sys.exit(f"Broken: {broken[0]}\n\nBefore:\n{newline.join(trail)}\n\nAgain: make soak TIME={SECONDS:.0f} SOAK_SEED={SEED}; what it left is in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
