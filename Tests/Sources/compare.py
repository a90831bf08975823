#!/usr/bin/env python3
"""Compares what bitpal and ccxt make of the same bodies, offline: last price, change and volume of 24 hours, candles.

Usage: compare.py BITPAL [BODIES], in the root of the package. The bodies are those of the examples in providers/, and the
files of the folder BODIES, named PROVIDER.quotes.BASE.QUOTE.ANYTHING.json (or candles). Exits with 1 after a difference.
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
    "bitso": ("bitso", "{b}_{q}"), "bitstamp": ("bitstamp", "{b}{q}"), "bitvavo": ("bitvavo", "{B}-{Q}"),
    "bittrade": ("bittrade", "{b}{q}"), "btcmarkets": ("btcmarkets", "{B}-{Q}"), "btcturk": ("btcturk", "{B}{Q}"),
    "bybit": ("bybit", "{B}{Q}"), "coinsph": ("coinsph", "{B}{Q}"), "coincheck": ("coincheck", "{b}_{q}"), "cryptocom": ("cryptocom", "{B}_{Q}"),
    "gate": ("gate", "{B}_{Q}"), "gemini": ("gemini", "{b}{q}"), "hitbtc": ("hitbtc", "{B}{Q}"), "htx": ("htx", "{b}{q}"),
    "independentreserve": ("independentreserve", "{B1}/{Q1}"), "indodax": ("indodax", "{b}{q}"), "kucoin": ("kucoin", "{B}-{Q}"),
    "luno": ("luno", "{B}{Q}"), "mercadobitcoin": ("mercado", "{Q}{B}"), "mexc": ("mexc", "{B}{Q}"), "okx": ("okx", "{B}-{Q}"),
    "poloniex": ("poloniex", "{B}_{Q}"), "upbit": ("upbit", "{Q}-{B}"), "whitebit": ("whitebit", "{B}_{Q}"),
}

# The part of an answer of quotes that ccxt asks for by another path.
PARTS = {
    "bequant": lambda body: next(iter(body.values())), "hitbtc": lambda body: next(iter(body.values())),
    "bitfinex": lambda body: body[0], "mercadobitcoin": lambda body: {"ticker": body[0]},
}

# What ccxt reads differently, and why bitpal's reading is right.
KNOWN = {
    ("cryptocom", "change_24h"): "`c` is a ratio by the exchange's documentation; ccxt takes it for percent",
    ("upbit", "change_24h"): "ccxt's is the change since midnight",
    ("bithumb", "change_24h"): "ccxt's is the change since midnight",
    ("bitstamp", "change_24h"): "ccxt's is made of the opening price of the day, not of that 24 hours ago",
    ("gate", "volume"): "`nan` means none; ccxt makes 0 of it",
}


class Offline(Exception):
    """A body that ccxt does not read in the way in which the file asks for it."""


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
    return merged({**provider(own["extends"]), "examples": None}, own) if "extends" in own else own


def scalar(value):
    """Returns a value of YAML as the text of a code or ticker; `no` and `on` are tickers too."""
    return {True: "on", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


class Source:
    """One provider file with the class of ccxt for the same exchange."""

    def __init__(self, name):
        self.name = name
        self.file = provider(name)
        tickers = self.file.get("symbols") or self.file.get("ids") or {}
        self.tickers = {scalar(coin): scalar(ticker) for coin, ticker in tickers.items()}
        codes = self.file.get("currencies") or []
        codes = codes if isinstance(codes, dict) else {code: code for code in codes}
        self.codes = {scalar(code): scalar(own) for code, own in codes.items()}
        kind, self.pair = CLASSES[name]
        # Figures stay the texts that the source sent.
        self.exchange = getattr(ccxt, kind)({"enableRateLimit": False})
        self.exchange.number = str

    def ticker(self, body, base, quote):
        """Returns ccxt's reading of an answer of quotes: last price, change in percent, volume in coins."""
        ticker = self.answered("quotes", body, base, quote).fetch_ticker(self.symbol)
        return {"price": ticker["last"], "change_24h": ticker["percentage"], "volume": ticker["baseVolume"]}

    def candles(self, body, base, quote, width=None):
        """Returns ccxt's reading of an answer of candles: time, open, high, low, close, volume."""
        exchange = self.answered("candles", body, base, quote)
        names = {exchange.parse_timeframe(name): name for name in exchange.timeframes or {}}
        if not names or width and width not in names:
            raise Offline("ccxt has no such candles")
        return exchange.fetch_ohlcv(self.symbol, names[width or min(names)])

    def answered(self, ask, body, base, quote):
        """Returns the exchange, which knows one pair and gets one answer to whatever it asks."""
        exchange, own = self.exchange, base.rstrip(":")
        names = {"B": base.upper(), "Q": quote.upper(), "b": base.lower(), "q": quote.lower(),
                 "B1": own.capitalize(), "Q1": quote.capitalize()}
        identifier = self.pair.format(**names)
        codes = [exchange.safe_currency_code(code) for code in (own.upper(), quote.upper())]
        self.symbol = "/".join(codes)
        exchange.set_markets([exchange.safe_market_structure({
            "id": identifier, "symbol": self.symbol, "base": codes[0], "quote": codes[1], "baseId": names["B1" if "/" in identifier else "B"],
            "quoteId": names["Q1" if "/" in identifier else "Q"], "type": "spot", "spot": True, "active": True,
            "info": {"symbol": identifier, "quoteId": quote.upper()},
        })])
        answer = json.loads(body, parse_float=str)
        exchange.fetch = lambda *_, **__: answer if ask == "candles" else PARTS.get(self.name, lambda whole: whole)(answer)
        return exchange


def iso(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def seconds(text):
    """Returns a duration of a provider file, like 15m, in seconds."""
    return int(text[:-1]) * SECONDS[text[-1]]


def question(source, path):
    """Returns the example that a file of BODIES is: its coin, currency and, of candles, the time and width."""
    _, ask, base, quote = path.name.split(".")[:4]
    coin = next((coin for coin, ticker in source.tickers.items() if ticker.rstrip(":") == base), None)
    currency = next((code for code, own in source.codes.items() if own.upper() == quote), None)
    if not coin or not currency or ask not in source.file:
        raise Offline("the provider file has no such pair or question")
    example = {"ask": ask, "coin": coin, "currency": currency, "body": path.read_text(), "rows": [], "place": path.name}
    if ask == "candles":
        # Whatever the width is called, the rows are the same.
        rows = source.candles(example["body"], source.tickers[coin], source.codes[currency])
        times = sorted(row[0] // 1000 for row in rows)
        if not times:
            raise Offline("ccxt makes no rows of it")
        # Times without trades are left out of some answers.
        step = math.gcd(*(after - before for before, after in zip(times, times[1:]))) or 60
        name = max((name for name in source.file["candles"]["intervals"] if step % seconds(name) == 0), key=seconds, default=None)
        if not name:
            raise Offline(f"the provider file has no candles of {step} s")
        width = seconds(name)
        example |= {"now": iso((times[-1] + width // 2) * 1000), "width": name, "window": f"{times[-1] - times[0] + width}s"}
    return example


def expectations(source, example):
    """Returns the example with the rows that ccxt gives, and the figures that were taken."""
    base, quote = source.tickers[example["coin"]], source.codes[example.get("currency", "usd")]
    fields = ("ask", "coin", "currency", "body", "now", "window", "width")
    asked = {key: example[key] for key in fields if key in example}
    if example["ask"] == "quotes":
        declared = source.file["quotes"]["fields"]
        has = {"price", *({"change_24h"} & set(declared)), *({"change_24h"} if "open_24h" in declared else set()), *({"volume"} & set(declared))}
        found = {key: value for key, value in source.ticker(example["body"], base, quote).items() if value is not None}
        if Decimal(found.get("price", 0)) == 0:
            return asked, None
        return asked, [{key: found[key] for key in found if key in has}]
    rows = source.candles(example["body"], base, quote, seconds(example["width"]))
    if source.file["candles"].get("days") and seconds(example["width"]) >= 86400:
        raise Offline("the days are not those of UTC, and ccxt stamps them with their beginning")
    names = ("time", "open", "high", "low", "close", "volume")
    has_volume = "volume" in str(source.file["candles"])
    rows = [dict(zip(names, [iso(row[0])] + row[1:])) for row in sorted(rows, key=lambda row: row[0])]
    return asked, [{key: value for key, value in row.items() if value is not None and (key != "volume" or has_volume)} for row in rows]


def written(value):
    """Returns a YAML text for a figure, which must not become a floating-point number on its way."""
    return value if re.fullmatch(r"-?\d+(\.\d+)?", value) else str(Decimal(value).normalize().__format__("f"))


def check(tool, folder, source, examples):
    """Returns what `bitpal providers check` says of each example, which has ccxt's rows."""
    text = (ROOT / "providers" / f"{source.name}.yaml").read_text()
    lines = [text[: text.index("\nexamples:")], "examples:"]
    for asked, rows in examples:
        items = [f"    {key}: {json.dumps(value) if key == 'body' else value}" for key, value in asked.items()]
        lines += ["  -" + items[0][3:], *items[1:], "    rows:" if rows else "    error: no_price"]
        lines += ["      - { " + ", ".join(f"{key}: {value if key == 'time' else written(value)}" for key, value in row.items()) + " }" for row in rows or []]
    (folder / "providers" / f"{source.name}.yaml").write_text("\n".join(lines) + "\n")
    environment = {**os.environ, "HOME": str(folder), **{f"XDG_{kind}_HOME": str(folder / kind) for kind in ("DATA", "CACHE", "CONFIG", "STATE")}}
    subprocess.run([tool, "-q", "trust"], cwd=folder, env=environment, check=True, capture_output=True)
    outcome = subprocess.run([tool, "providers", "check", source.name, "--format", "json"], cwd=folder, env=environment, capture_output=True, text=True)
    if not outcome.stdout:
        sys.exit(f"{source.name}: {outcome.stderr}")
    return json.loads(outcome.stdout)["examples"]


def resolution(figure):
    """Returns the value of the last decimal of a figure, at least 1e-9: changes that sources send are rounded or cut."""
    return max(Decimal(1).scaleb(Decimal(figure).as_tuple().exponent), Decimal("1e-9"))


def difference(problem, source):
    """Returns a problem, unless a change was rounded, and the reason of a known difference."""
    found = re.fullmatch(r"row \d+: (\w+) is (\S+), not (\S+)", problem or "")
    if not found:
        return problem, None
    column, ours, theirs = found.groups()
    if (source.name, column) in KNOWN:
        return None, KNOWN[source.name, column]
    if column == "change_24h" and ours != "nothing" and abs(Decimal(ours) - Decimal(theirs)) < resolution(theirs):
        return None, None
    return problem, None


def main(tool, bodies=None):
    compared, figures, differences, notes = 0, Counter(), [], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "providers").mkdir()
        (folder / "providers/base").symlink_to(ROOT / "providers/base")
        (folder / "config.yaml").write_text((ROOT / "config.yaml").read_text())
        for file in (ROOT / "providers").glob("*.yaml"):
            (folder / "providers" / file.name).write_text(file.read_text())
        for name in sorted(CLASSES):
            source, examples = Source(name), []
            places = []
            given = [example for example in source.file["examples"] or [] if example.get("rows")]
            files = sorted(pathlib.Path(bodies).glob(f"{name}.*")) if bodies else []
            for item in files if bodies else given:
                try:
                    example = question(source, item) if bodies else item
                    if example["ask"] not in ("quotes", "candles"):
                        continue
                    example = {**example, **({"now": example["now"].strftime("%Y-%m-%dT%H:%M:%SZ")} if isinstance(example.get("now"), datetime) else {})}
                    asked, rows = expectations(source, example)
                except Offline as reason:
                    notes.append(f"{name}: {getattr(item, 'name', '')} not compared: {reason}")
                    continue
                except ccxt.BaseError as error:
                    notes.append(f"{name}: {getattr(item, 'name', '')} not compared, ccxt refuses it: {str(error)[:100]}")
                    continue
                # The change apart from the rest, because one difference hides those after it.
                if rows is None:
                    examples.append((asked, rows))
                    places.append(f"{name}: {example.get('place', example['ask'] + ' ' + example['coin'])}")
                for part in ({"change_24h"}, None) if rows else ():
                    kept = [{key: value for key, value in row.items() if (key in part if part else key != "change_24h")} for row in rows]
                    if all(kept) and kept:
                        examples.append((asked, kept))
                        places.append(f"{name}: {example.get('place', example['ask'] + ' ' + example['coin'])}")
                        figures.update(key for row in kept for key in row if key != "time")
            if not examples:
                continue
            for place, outcome in zip(places, check(tool, folder, source, examples)):
                problem, known = difference(outcome["problem"], source)
                compared += 1
                if known:
                    notes.append(f"{place}: {outcome['problem']} ({known})")
                if problem:
                    differences.append(f"{place}: {problem}")
    print("\n".join(notes + differences))
    print(f"{compared} readings compared with ccxt {ccxt.__version__}: " + ", ".join(f"{count} {key}" for key, count in sorted(figures.items())))
    print(f"{len(differences)} differences, {sum('(' in note for note in notes)} known ones")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
