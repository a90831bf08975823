"""Servers over three sources, and what the command line says of each: what is served must be what is printed.

Run by `make serve-test`, which says in BITPAL where the tool is. No test asks anybody outside of this machine.
"""

import contextlib
import json
from functools import cached_property

import pytest

import exchange
from world import World

# The instant of the demo recording, at which the others are made, too.
NOW = "2025-01-15T10:30:00Z"


class Source:
    """A source that is served, and what the command line says of it."""

    def __init__(self, world, provider, url):
        self.world, self.provider, self.url = world, provider, url

    def printed(self, *words):
        return json.loads(self.world.run(*words, "-p", self.provider, "--format", "json"))

    coins = ["bitcoin", "ethereum", "solana"]

    @cached_property
    def prices(self):
        return {
            currency: {row["id"]: row for row in self.printed("price", *self.coins, "--currency", currency)["prices"]}
            for currency in ("usd", "eur")
        }

    @cached_property
    def details(self):
        """By id; none where the source has no more than prices."""
        providers = {row["id"]: row for row in self.printed("providers", "list")["providers"]}
        described = providers.get(self.provider, {"capabilities": ["detail"]})
        if self.provider == "recording:exchange" or "detail" not in described["capabilities"]:
            return {}
        return {row["id"]: row for row in self.printed("coin", *self.coins)["coins"]}

    @cached_property
    def week(self):
        return self.printed("chart", "bitcoin", "--range", "1W")["points"]

    @cached_property
    def candles(self):
        return self.printed("chart", "bitcoin", "--range", "1W", "--type", "candle")

    @cached_property
    def midnight(self):
        return self.printed("history", "bitcoin", "--on", "2025-01-09")["days"][0]["price"]


# What is asked of a source while it is recorded: all that the paths of CoinGecko's API come to.
SCENARIO = [
    "price bitcoin ethereum solana dogecoin", "price bitcoin ethereum solana --currency eur", "search doge",
    "chart bitcoin --range 1D", "chart bitcoin --range 1W", "chart bitcoin --range 1W --type candle",
    "chart bitcoin --from 2025-01-12 --to 2025-01-14", "history bitcoin --on 2025-01-09",
]


def documents(text):
    """The objects with a schema in a page or a transcript, printed over several lines or in one; what is cut is none."""
    lines, found = None, []
    for line in text.replace("\n! {", "\n{").split("\n"):
        if line == "{":
            lines = []
        if lines is not None:
            lines.append(line)
        whole = line if line.startswith('{"schema":') else "\n".join(lines or []) if line == "}" else ""
        with contextlib.suppress(ValueError):
            found.append(json.loads(whole))
    return [document for document in found if document.get("schema", "").startswith("bitpal.")]


def record(world, name, provider, *more):
    for line in [*SCENARIO, *more]:
        world.run("record", name, "--append", "-p", provider, "--now", NOW, "--", *line.split(), "--format", "json")


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def fixture(world):
    with world.serve("-p", "fixture") as server:
        yield Source(world, "fixture", server.url)


@pytest.fixture(scope="session")
def recorded_exchange(world):
    """A provider of which all that is known is a YAML file, recorded from an exchange on this machine."""
    with exchange.serving() as address:
        world.provider("coinbase", address)
        record(world, "exchange", "coinbase")
    with world.serve("-p", "recording:exchange") as server:
        yield Source(world, "recording:exchange", server.url)


@pytest.fixture(scope="session")
def recorded_coingecko(world):
    """CoinGecko's API as it is served here, recorded by its own client: what goes out is what comes in."""
    with world.serve("-p", "fixture") as server:
        world.provider("coingecko", server.url + "/api/v3")
        details = [f"coin {coin}" for coin in Source.coins]
        record(world, "coingecko", "coingecko", *details)
    with world.serve("-p", "recording:coingecko") as server:
        yield Source(world, "recording:coingecko", server.url)


@pytest.fixture(scope="session", params=["fixture", "recorded_exchange", "recorded_coingecko"])
def source(request):
    return request.getfixturevalue(request.param)
