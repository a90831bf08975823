#!/usr/bin/env python3
"""Exports three portfolios and has hledger, ledger and Beancount read them: all accept, all reckon what bitpal does.

Usage: check.py BITPAL [SEED] [HOUSEHOLDS], in the root of the package; that many books are generated too. Nothing outside a temporary folder is written.
"""
import csv
import datetime
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
CENT = Decimal("0.01")

BOOKS = {
    "main": ["portfolio import Fixtures/portfolio.csv"],
    "coins": [
        "buy 1 btc --total 64000 --date 2024-08-02",
        "buy 10 sol --date 2024-12-24 --fee 0.001btc",
        "receive 0.002 eth --label reward --date 2025-01-03",
        "receive 100 pepe --label airdrop --price 0 --date 2025-01-04",
        "send 0.0005 btc --label fee --date 2025-01-05",
        "send 0.1 btc --label gift --price close --date 2025-01-06",
        "swap 5 sol 0.3 eth --date 2025-01-07",
        "swap 1 sol 400 doge --total 190 --date 2025-01-08 --fee 1.5",
        "swap 200 doge 7 ada --label rename --date 2025-01-09 --fee 0.5",
    ],
    "euros": [
        "buy 3 btc --total 100000 --date 2024-08-02 --fee 10 --currency eur",
        "sell 1 btc --price 70000 --date 2024-09-02 --fee 7",
        "sell 0.7 btc --price 71000.55 --date 2024-10-02",
        "send 0.001 btc --label transfer --date 2024-10-02",
    ],
    "trades": [
        "buy 0.5 btc --price 64000 --date 2024-02-01",
        "buy 10 sol --price 101 --date 2024-03-24 --fee 0.001btc",
        "buy 3 eth --total 9000 --date 2024-05-05 --fee 4.5",
        "sell 0.2 btc --price 61000 --date 2024-08-08 --fee 9",
        "swap 5 sol 0.3 eth --date 2024-10-07",
        "sell 3.3 eth --price 2700 --date 2024-12-12 --fee 1",
    ],
    "closes": [
        "buy 0.5 btc --date 2024-02-01",
        "buy 10 eth --date 2024-06-10 --fee 20",
        "receive 0.2 eth --label reward --date 2024-09-09",
        "receive 1 eth --label gift --date 2024-09-19",
        "sell 0.1 btc --date 2024-11-10 --fee 5",
        "send 0.05 btc --label gift --price close --date 2024-12-01",
    ],
}

# What is earned and lost rather than put in and taken out.
EARNED = "income:rewards|income:interest|income:gains|expenses:fees"
LAST = datetime.date(2025, 1, 14)




def household(generator):
    """A year of purchases, sales, exchanges and rewards, of which none sells more than is held."""
    held, lines = {}, []
    coins = {"btc": 60_000, "eth": 2_800, "sol": 150}
    for day in sorted(generator.sample(range(40, 330), 12)):
        date = datetime.date(2024, 1, 20) + datetime.timedelta(day)
        coin = generator.choice(list(coins))
        price = round(coins[coin] * generator.uniform(0.8, 1.25), 2)
        kind = generator.choice(("buy", "buy", "sell", "swap", "rename", "reward"))
        some = [name for name, amount in held.items() if amount >= 2]
        if kind == "sell" and some:
            coin = generator.choice(some)
            held[coin] -= 1
            lines.append(f"sell 1 {coin} --price {round(coins[coin] * generator.uniform(0.8, 1.25), 2)} --date {date} --fee 1.5")
        elif kind == "swap" and some and some[0] != coin:
            held[some[0]] -= 1
            received = round(coins[some[0]] / coins[coin], 6)
            held[coin] = held.get(coin, 0) + received
            lines.append(f"swap 1 {some[0]} {received} {coin} --total {round(coins[some[0]] * 1.01, 2)} --date {date}")
        elif kind == "rename" and some and some[0] != coin:
            held[some[0]] -= 1.5
            received = round(1.5 * coins[some[0]] / coins[coin], 6)
            held[coin] = held.get(coin, 0) + received
            lines.append(f"swap 1.5 {some[0]} {received} {coin} --label rename --date {date}")
        elif kind == "reward" and held:
            name = generator.choice(list(held))
            lines.append(f"receive 0.01 {name} --label reward --price {coins[name]} --date {date}")
        else:
            amount = generator.randint(1, 5)
            held[coin] = held.get(coin, 0) + amount
            lines.append(f"buy {amount} {coin} --price {price} --date {date} --fee {generator.randint(0, 9)}")
    return lines


def main(tool, seed=1, households=5):
    generator = random.Random(seed)
    books = {**BOOKS, **{f"h{number}": household(generator) for number in range(households)}}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("config.yaml", "providers", "Fixtures"):
            os.symlink(ROOT / name, f"{folder}/{name}")
        environment = {**os.environ, "HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache",
                       "XDG_CONFIG_HOME": f"{folder}/config", "XDG_STATE_HOME": f"{folder}/state"}

        def run(*words):
            outcome = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
            assert outcome.returncode == 0, f"{' '.join(words)}: {outcome.stdout}{outcome.stderr}"
            return outcome.stdout

        def bitpal(line, name):
            return run(tool, "-q", *line.split(), "--portfolio", name)

        bitpal.tool = tool
        run(tool, "trust")
        for name, lines in books.items():
            for line in lines:
                bitpal(line + " --create", name)
            compare(name, run, bitpal, folder)
            # Of some coins of the other books there are no closes.
            if name in ("closes", "trades") or name not in BOOKS:
                compare_returns(name, run, bitpal, folder)


def compare(name, run, bitpal, folder):
    own = next(csv.DictReader(io.StringIO(bitpal("portfolio --format csv", name))))
    for program in ("hledger", "ledger", "beancount"):
        text = bitpal(f"portfolio export --format {program}", name)
        pathlib.Path(f"{folder}/{name}.{program}").write_text(text)
    book = f"{folder}/{name}"
    run("hledger", "-f", f"{book}.hledger", "check", "--strict")
    run("bean-check", f"{book}.beancount")

    def hledger(*words):
        rows = list(csv.reader(io.StringIO(run("hledger", "-f", f"{book}.hledger", "bal", "-N", "-O", "csv", *words))))
        return sum((Decimal(row[1].split()[0]) for row in rows[1:]), Decimal(0))

    def ledger(*words):
        return Decimal((run("ledger", "-f", f"{book}.ledger", "bal", *words).split() or ["0"])[0])

    def beancount(query):
        # A sum of nothing is an empty row.
        rows = run("bean-query", "-q", "-f", "csv", f"{book}.beancount", query).splitlines()
        return Decimal((" ".join(rows[1:2]).split() or ["0"])[0])

    coins = "where account = 'Assets:Crypto'"
    figures = {
        "cost": (Decimal(own["open_cost"]), hledger("-B", "assets:crypto"), ledger("-B", "assets:crypto"),
                 beancount(f"select sum(cost(position)) {coins}")),
        "value": (Decimal(own["value"]), hledger("-V", "assets:crypto"), ledger("-V", "assets:crypto", "--now", "2025-01-16"),
                  None),
        "gains": (Decimal(own["realized"]), -hledger("income:gains"), -ledger("income:gains"),
                  -beancount("select sum(position) where account = 'Income:Gains'")),
    }
    for what, (ours, *theirs) in figures.items():
        print(f"{name:6} {what:6} bitpal {ours.quantize(CENT):>12}", end="")
        for program, figure in zip(("hledger", "ledger", "beancount"), theirs):
            if figure is None:
                continue
            print(f"   {program} {figure.quantize(CENT):>12}", end="")
            # Beancount shows as many digits as most of a book's amounts have.
            bound = 1 if program == "beancount" else CENT
            assert abs(figure - ours) <= bound, f"{name}: {program} has {figure} for {what}, bitpal {ours}"
        print()


def compare_returns(name, run, bitpal, folder):
    """Returns against hledger's `roi` over the same journal, with a price directive for every close."""
    own = list(csv.DictReader(io.StringIO(bitpal(f"portfolio returns --to {LAST} --format csv", name))))[-1]
    own = {key: value if key in ("period", "currency", "several_rates") or "-" in value[1:] else Decimal(value or 0) for key, value in own.items()}
    coins = sorted({row["coin"] for row in csv.DictReader(io.StringIO(bitpal("portfolio transactions --format csv", name)))})
    journal = [line for line in bitpal("portfolio export --format hledger", name).splitlines() if not line.startswith("P ")]
    # A coin's closes are asked for alone: what is not held any more may have been the only one to go back that far.
    closes = "".join(
        run(bitpal.tool, "-q", *f"history {coin} --from {own['from']} --to {LAST} --missing skip --format hledger".split())
        for coin in coins)
    pathlib.Path(f"{folder}/roi.journal").write_text("\n".join(journal) + "\n" + closes)
    if own["money_weighted"] == 0 and own["several_rates"] == "true":
        return print(f"{name:6} IRR    bitpal says that several rates fit")
    text = run("hledger", "-f", f"{folder}/roi.journal", "roi", "--inv", "assets:crypto", "--pnl", EARNED, "--cashflow",
               "-b", own["from"], "-e", str(LAST + datetime.timedelta(1)), f"--value=then,{own['currency'].upper()}")

    def number(cell):
        return Decimal(re.sub(r"[^0-9.-]", "", cell) or 0)

    rows = [[cell.strip() for cell in line.strip("|").split("|") if cell.strip()] for line in text.splitlines()]
    final = next(row for row in rows if row[:1] == ["1"])
    days = (LAST - datetime.date.fromisoformat(own["from"])).days + 1
    yearly = ((1 + float(own["money_weighted"]) / 100) ** (365 / days) - 1) * 100
    figures = {
        "flows": (own["inflow"] - own["outflow"], number(final[4]), CENT),
        "gain": (own["gain"], number(final[6]), CENT),
        "IRR": (Decimal(yearly), number(final[7]), CENT),
    }
    if name == "closes":
        # hledger 1.25 buys every unit at 100 and so reckons another rate than its manual; by the manual it is from its own
        # values on the days of its own flows.
        growth, value = 1, 0
        for row in rows:
            if len(row) == 8 and re.match(r"\d{4}-", row[0]) and number(row[4]) != 0:
                growth *= number(row[1]) / value if value else 1
                value = number(row[1]) + number(row[4])
        growth *= number(final[5]) / value
        figures["TWR"] = (own["time_weighted"], (growth - 1) * 100, CENT)
    for what, (ours, theirs, bound) in figures.items():
        print(f"{name:6} {what:6} bitpal {ours.quantize(CENT):>12}   hledger roi {theirs.quantize(CENT):>12}")
        assert abs(ours - theirs) <= bound, f"{name}: hledger has {theirs} for {what}, bitpal {ours}"


main(sys.argv[1], *map(int, sys.argv[2:4]))
