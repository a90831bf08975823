"""A file that another program keeps locked delays the questions that need it, and no other."""

import json
import sqlite3
import threading
import time
import urllib.error
import urllib.request

import pytest

import exchange
from world import World


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
        return answer.read()


def attempt(url, **headers):
    try:
        get(url, **headers)
    except urllib.error.HTTPError:
        pass


def times(rounds, server, price, *pages):
    """How long each of some answers takes that nothing may delay, in seconds, and the last price."""
    taken = []
    for _ in range(rounds):
        for url in (*pages, f"{server.url}/healthz", f"{server.url}/metrics", price):
            began = time.monotonic()
            answer = get(url, Accept="text/html")
            taken.append(time.monotonic() - began)
    return taken, json.loads(answer)["prices"][0]["id"]


@pytest.fixture
def served(tmp_path):
    world = World(tmp_path)
    with exchange.serving() as address:
        world.provider("coinbase", address)
        world.run("watchlist", "add", "bitcoin", "-p", "coinbase")
        world.run("price", "bitcoin", "-p", "coinbase")
        with world.serve("-p", "coinbase", "--portfolio", "--timeout", "4s") as server:
            yield world, server


# The file, and what needs it: the portfolio the user's, a coin that is not cached the cache and the budgets.
@pytest.mark.parametrize("name, question", [
    ("bitpal.db", "/portfolio"), ("cache.db", "/v1/price?coins=COIN"), ("cache.db", "/v1/chart/id:COIN?range=1W"),
    ("budgets.db", "/v1/price?coins=COIN"),
])
def test_what_needs_no_locked_file_is_answered_at_once(served, name, question, capsys):
    world, server = served
    path = next((world.folder / "home").rglob(name))
    price = f"{server.url}/v1/price?coins=bitcoin"
    get(price)
    # Pages read the cache; the one with the watchlist needs the user's file, too.
    pages = [f"{server.url}{path}" for path in ("/", "/coin/bitcoin?range=1W")] if name == "cache.db" else []
    for page in pages:
        get(page, Accept="text/html")
    cookie = "=".join(server.cookie())
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    coins = ["ethereum", "solana", "dogecoin", "litecoin", "cardano", "polkadot", "ripple", "tron"]
    waiting = [
        threading.Thread(target=attempt, args=(server.url + question.replace("COIN", coin),), kwargs={"Cookie": cookie})
        for coin in coins
    ]
    try:
        for one in waiting:
            one.start()
        taken, coin = times(20, server, price, *pages)
        assert coin == "bitcoin"
        # A wait for the lock takes seconds.
        assert max(taken) < 1.5, taken
        # All of that came while the pages waited for the file.
        assert name != "bitpal.db" or all(one.is_alive() for one in waiting)
        with capsys.disabled():
            print(f" {name}: longest {max(taken) * 1000:.0f} ms", end="")
    finally:
        holder.execute("ROLLBACK")
    for one in waiting:
        one.join(30)
        assert not one.is_alive()


# A plugin that answers for one coin and hangs for every other.
HANGS = """
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        answer = {"bitpal": 1, "name": "Hangs", "answers": ["quotes"], "batch": 1}
    elif "plan" in message:
        if message["plan"]["coins"] != ["bitcoin"]:
            time.sleep(600)
        answer = {"requests": [{"url": "ADDRESS/currencies"}]}
    else:
        answer = {"rows": [{"id": "bitcoin", "price": "96841"}]}
    print(json.dumps(answer), flush=True)
"""


def test_a_plugin_that_hangs_delays_its_own_questions_alone(tmp_path, capsys):
    world = World(tmp_path)
    with exchange.serving() as address:
        (tmp_path / "providers/hangs.py").write_text(HANGS.replace("ADDRESS", address))
        (tmp_path / "providers/hangs.yaml").write_text(
            "id: hangs\nname: Hangs\nkind: plugin\ncommand: [python3, -I, hangs.py]\nhosts: [127.0.0.1]\nmax_age: 36500d\n"
            "symbols: { bitcoin: BTC, ethereum: ETH, solana: SOL, dogecoin: DOGE, litecoin: LTC }\n")
        world.run("price", "bitcoin", "-p", "hangs")
        with world.serve("-p", "hangs", "--timeout", "6s") as server:
            price = f"{server.url}/v1/price?coins=bitcoin"
            get(price)
            waiting = [
                threading.Thread(target=attempt, args=(f"{server.url}/v1/price?coins={coin}",))
                for coin in ["ethereum", "solana", "dogecoin", "litecoin"] * 4
            ]
            for one in waiting:
                one.start()
            taken, _ = times(50, server, price)
            assert all(one.is_alive() for one in waiting)
            with capsys.disabled():
                print(f" a plugin: p99 {sorted(taken)[-2] * 1000:.0f} ms", end="")
            for one in waiting:
                one.join(30)
                assert not one.is_alive()
