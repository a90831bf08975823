#!/usr/bin/env python3
"""Compares what bitpal and ccxt make of the same bodies, offline: last price, change and volume of 24 hours, candles.

Usage: compare.py BITPAL [BODIES], in the root of the package. The bodies are those of the examples in providers/, or the
files of the folder BODIES, named PROVIDER.quotes.BASE.QUOTE.ANYTHING.json, or candles. ccxt's figures become the rows of
examples that `bitpal providers check` runs. Exits with 1 after a difference that is not a known one.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime, timezone
from decimal import Decimal

import ccxt
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The class of ccxt and its name of a pair, for each provider that has one.
CLASSES = {
    "bequant": ("bequant", "{B}{Q}"), "binance": ("binance", "{B}{Q}"), "binanceus": ("binanceus", "{B}{Q}"),
    "bitbank": ("bitbank", "{b}_{q}"), "bitfinex": ("bitfinex", "t{B}{Q}"), "bitflyer": ("bitflyer", "{B}_{Q}"),
    "bitget": ("bitget", "{B}{Q}"), "bithumb": ("bithumb", "{Q}-{B}"), "bitopro": ("bitopro", "{b}_{q}"),
    "bitso": ("bitso", "{b}_{q}"), "bitstamp": ("bitstamp", "{b}{q}"), "bittrade": ("bittrade", "{b}{q}"),
    "bitvavo": ("bitvavo", "{B}-{Q}"), "btcmarkets": ("btcmarkets", "{B}-{Q}"), "btcturk": ("btcturk", "{B}{Q}"),
    "bybit": ("bybit", "{B}{Q}"), "coinbase": ("coinbaseexchange", "{B}-{Q}"), "coincheck": ("coincheck", "{b}_{q}"),
    "coinsph": ("coinsph", "{B}{Q}"), "cryptocom": ("cryptocom", "{B}_{Q}"), "gate": ("gate", "{B}_{Q}"),
    "gemini": ("gemini", "{b}{q}"), "hitbtc": ("hitbtc", "{B}{Q}"), "htx": ("htx", "{b}{q}"),
    "independentreserve": ("independentreserve", "{Base}/{Quote}"), "indodax": ("indodax", "{b}{q}"),
    "kraken": ("kraken", "{B}{Q}"), "kucoin": ("kucoin", "{B}-{Q}"), "luno": ("luno", "{B}{Q}"),
    "mercadobitcoin": ("mercado", "{Q}{B}"), "mexc": ("mexc", "{B}{Q}"), "okx": ("okx", "{B}-{Q}"),
    "poloniex": ("poloniex", "{B}_{Q}"), "upbit": ("upbit", "{Q}-{B}"), "whitebit": ("whitebit", "{B}_{Q}"),
}

# Options of ccxt without which it asks another path than the provider file.
OPTIONS = {"coinbase": {"fetchTickerMethod": "publicGetProductsIdStats"}}

# An answer in the form of the path that ccxt asks, by provider and question.
FORMS = {
    ("bequant", "quotes"): lambda body, pair: next(iter(body.values())),
    ("hitbtc", "quotes"): lambda body, pair: next(iter(body.values())),
    ("bitbank", "quotes"): lambda body, pair: {"data": next(row for row in body["data"] if row["pair"] == pair)},
    ("bitfinex", "quotes"): lambda body, pair: body[0],
    ("mercadobitcoin", "quotes"): lambda body, pair: {"ticker": body[0]},
    ("kraken", "quotes"): lambda body, pair: {"result": {pair: next(iter(body["result"].values()))}},
    ("kraken", "candles"): lambda body, pair: {"result": {pair: next(iter(body["result"].values()))}},
}

# What ccxt reads differently, and why bitpal's reading is right.
KNOWN = {
    ("cryptocom", "change_24h"): "`c` is a ratio by the exchange's documentation; ccxt takes it for percent",
    ("upbit", "change_24h"): "ccxt's is the change since midnight",
    ("bithumb", "change_24h"): "ccxt's is the change since midnight",
    ("bitstamp", "change_24h"): "ccxt's is made of the opening price of the day, not of that 24 hours ago",
    ("gate", "volume"): "`nan` means none; ccxt makes 0 of it",
}

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


class Incomparable(Exception):
    """A body that the provider file or ccxt does not read in the way in which the other does."""


def merged(base, own):
    """Returns a provider file over its base, as `extends` does."""
    result = dict(base)
    for key, value in own.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def provider(name):
    """Returns the keys in force of a provider file."""
    paths = [ROOT / "providers/base" / f"{name}.yaml", ROOT / "providers" / f"{name}.yaml"]
    own = yaml.safe_load(next(path for path in paths if path.exists()).read_text())
    return merged({**provider(own["extends"]), "examples": []}, own) if "extends" in own else own


def seconds(text):
    """Returns a duration of a provider file, like 15m, in seconds."""
    return int(text[:-1]) * SECONDS[text[-1]]


def iso(instant):
    """Returns an instant, in seconds since 1970, as the provider files write it."""
    return datetime.fromtimestamp(instant, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Source:
    """A provider file with the class of ccxt for the same exchange."""

    def __init__(self, name):
        self.name = name
        self.file = provider(name)
        tickers = self.file.get("symbols") or self.file.get("ids") or {}
        self.tickers = {str(coin): str(ticker) for coin, ticker in tickers.items()}
        codes = self.file.get("currencies") or []
        codes = codes if isinstance(codes, dict) else dict(zip(codes, codes))
        self.codes = {str(code): str(own) for code, own in codes.items()}
        kind, self.pair = CLASSES[name]
        self.exchange = getattr(ccxt, kind)({"enableRateLimit": False, "options": OPTIONS.get(name, {})})
        # Figures stay the texts that the source sent.
        self.exchange.number = str

    def ticker(self, example):
        """Returns ccxt's reading of an answer of quotes: last price, change in percent, volume in coins."""
        ticker = self.answered(example).fetch_ticker(self.symbol)
        return {"price": ticker["last"], "change_24h": ticker["percentage"], "volume": ticker["baseVolume"]}

    def candles(self, example, width=None):
        """Returns ccxt's reading of an answer of candles, sorted; the rows are the same whatever the width is called."""
        exchange = self.answered(example)
        names = {exchange.parse_timeframe(name): name for name in exchange.timeframes or {}}
        if not names or width and width not in names:
            raise Incomparable("ccxt has no such candles")
        rows = sorted(exchange.fetch_ohlcv(self.symbol, names[width or min(names)]), key=lambda row: row[0])
        if not rows:
            raise Incomparable("ccxt makes no rows of it")
        return rows

    def answered(self, example):
        """Returns the exchange, which knows the pair of the example and gets its body, whatever it asks."""
        base, quote = self.tickers[example["coin"]], self.codes[example.get("currency", "usd")]
        own = base.rstrip(":")
        pair = self.pair.format(
            B=base.upper(), Q=quote.upper(), b=base.lower(), q=quote.lower(), Base=own.capitalize(), Quote=quote.capitalize())
        exchange = self.exchange
        codes = [exchange.safe_currency_code(code.upper()) for code in (own, quote)]
        self.symbol = "/".join(codes)
        # Where a pair has a slash, its parts are the names of the two.
        parts = pair.split("/") if "/" in pair else [base.upper(), quote.upper()]
        exchange.set_markets([exchange.safe_market_structure({
            "id": pair, "symbol": self.symbol, "base": codes[0], "quote": codes[1], "baseId": parts[0], "quoteId": parts[1],
            "type": "spot", "spot": True, "active": True, "info": {"symbol": pair},
        })])
        body = json.loads(example["body"], parse_float=str)
        form = FORMS.get((self.name, example["ask"]), lambda body, pair: body)
        exchange.fetch = lambda *_, **__: form(body, pair)
        return exchange

    def question(self, path):
        """Returns the example that a file of BODIES is: its coin, its currency and, of candles, its time and width."""
        _, ask, base, quote = path.name.split(".")[:4]
        coin = next((coin for coin, ticker in self.tickers.items() if ticker.rstrip(":") == base), None)
        currency = next((code for code, own in self.codes.items() if own.upper() == quote), None)
        if not coin or not currency or ask not in self.file:
            raise Incomparable("the provider file has no such pair or question")
        example = {"ask": ask, "coin": coin, "currency": currency, "body": path.read_text()}
        if ask == "quotes":
            return example
        times = [row[0] // 1000 for row in self.candles(example)]
        # Times without trades are left out of some answers.
        step = math.gcd(*(after - before for before, after in zip(times, times[1:]))) or 60
        widths = [name for name in self.file["candles"]["intervals"] if step % seconds(name) == 0]
        if not widths:
            raise Incomparable(f"the provider file has no candles of {step} s")
        name = max(widths, key=seconds)
        return {**example, "now": iso(times[-1] + seconds(name) // 2), "width": name,
                "window": f"{times[-1] - times[0] + seconds(name)}s"}

    def rows(self, example):
        """Returns the rows that ccxt makes of an example, with the columns that the file has; none for a price of 0."""
        if example["ask"] == "quotes":
            columns = set(self.file["quotes"]["fields"])
            if "open_24h" in columns:
                columns.add("change_24h")
            found = {key: value for key, value in self.ticker(example).items() if value is not None}
            return [{key: found[key] for key in found if key in columns}] if Decimal(found.get("price", 0)) else []
        width = seconds(example["width"])
        if self.file["candles"].get("days") and width >= 86400:
            raise Incomparable("its days are not those of UTC, and ccxt stamps them with their beginning")
        declared = self.file["candles"]
        columns = ["time", "open", "high", "low", "close"] + ["volume"] * ("volume" in str(declared))
        return [{**dict(zip(columns, row)), "time": iso(row[0] // 1000)} for row in self.candles(example, width)]


class Comparison:
    """Examples with ccxt's rows, and what `bitpal providers check` says about them."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.compared, self.figures, self.differences, self.notes = 0, Counter(), [], []
        (folder / "providers").mkdir()
        (folder / "config.yaml").symlink_to(ROOT / "config.yaml")
        for file in (ROOT / "providers").iterdir():
            (folder / "providers" / file.name).symlink_to(file)

    def compare(self, source, named):
        """Compares examples of a source, each with the name of its place."""
        parts = []
        for place, example in named:
            try:
                example = source.question(example) if isinstance(example, pathlib.Path) else example
                rows = source.rows(example)
            except (Incomparable, ccxt.BaseError) as reason:
                self.notes.append(f"{place}: not compared: {str(reason)[:100]}")
                continue
            # The change stands alone, because the first difference of a row hides those after it.
            changes = [{"change_24h": row["change_24h"]} for row in rows if "change_24h" in row]
            others = [{key: value for key, value in row.items() if key != "change_24h"} for row in rows]
            parts += [(place, example, part) for part in (changes, others) if part or not rows and part is others]
            self.figures.update(key for row in rows for key in row if key != "time")
        if not parts:
            return
        for (place, _, _), outcome in zip(parts, self.check(source, parts)):
            self.compared += 1
            self.judge(place, source, outcome["problem"])

    def check(self, source, parts):
        """Returns the outcome of each example of a copy of the file, which has ccxt's rows."""
        text = (ROOT / "providers" / f"{source.name}.yaml").read_text()
        lines = [text[: text.index("\nexamples:")], "examples:"]
        for _, example, rows in parts:
            keys = [key for key in ("ask", "coin", "currency", "now", "window", "width") if key in example]
            lines += [f"  - body: {json.dumps(example['body'])}", *(f"    {key}: {example[key]}" for key in keys)]
            lines += ["    rows:" if rows else "    error: no_price", *(f"      - {self.written(row)}" for row in rows)]
        file = self.folder / "providers" / f"{source.name}.yaml"
        file.unlink()
        file.write_text("\n".join(lines) + "\n")
        self.run("trust")
        outcome = self.run("providers", "check", source.name, "--format", "json")
        if not outcome.stdout:
            sys.exit(f"{source.name}: {outcome.stderr}")
        return json.loads(outcome.stdout)["examples"]

    def run(self, *words):
        """Runs bitpal in the folder, with a home of its own."""
        homes = {f"XDG_{kind}_HOME": f"{self.folder}/{kind}" for kind in ("DATA", "CACHE", "CONFIG", "STATE")}
        return subprocess.run(
            [self.tool, "-q", *words], cwd=self.folder, env={**os.environ, "HOME": str(self.folder), **homes},
            capture_output=True, text=True)

    @staticmethod
    def written(row):
        """Returns a row in YAML, with every digit."""
        def text(key, value):
            return value if key == "time" or re.fullmatch(r"-?\d+(\.\d+)?", value) else f"{Decimal(value):f}"
        return "{ " + ", ".join(f"{key}: {text(key, value)}" for key, value in row.items()) + " }"

    def judge(self, place, source, problem):
        """Keeps a problem, unless a change was rounded by the source or the difference is a known one."""
        found = re.fullmatch(r"row \d+: (\w+) is (\S+), not (\S+)", problem or "")
        column, ours, theirs = found.groups() if found else (None, None, None)
        if (source.name, column) in KNOWN:
            self.notes.append(f"{place}: known: {problem}: {KNOWN[source.name, column]}")
        elif problem and not (column == "change_24h" and ours != "nothing" and self.is_rounded(theirs, ours)):
            self.differences.append(f"{place}: {problem}")

    @staticmethod
    def is_rounded(figure, exact):
        """Returns whether a change is another one that was rounded or cut to its decimals, of which at least nine count."""
        decimals = min(-Decimal(figure).as_tuple().exponent, 9)
        return abs(Decimal(figure) - Decimal(exact)) < Decimal(1).scaleb(-decimals)


def examples(source, bodies):
    """Returns the examples to compare, each with the name of its place."""
    if bodies:
        return [(path.name, path) for path in sorted(pathlib.Path(bodies).glob(f"{source.name}.*"))]
    own = [
        example for example in source.file["examples"]
        if example.get("rows") and example["ask"] in ("quotes", "candles") and isinstance(example["coin"], str)]
    for example in own:
        if "now" in example:
            example["now"] = iso(example["now"].timestamp())
    return [(f"{source.name}: {example['ask']} {example['coin']}", example) for example in own]


def main(tool, bodies=None):
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(tool, pathlib.Path(folder))
        for name in CLASSES:
            source = Source(name)
            comparison.compare(source, examples(source, bodies))
    print("\n".join(comparison.notes + comparison.differences))
    counts = ", ".join(f"{count} {key}" for key, count in sorted(comparison.figures.items()))
    print(f"{comparison.compared} readings compared with ccxt {ccxt.__version__}: {counts}")
    print(f"{len(comparison.differences)} differences, {sum(': known: ' in note for note in comparison.notes)} known ones")
    sys.exit(1 if comparison.differences or not comparison.compared else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
