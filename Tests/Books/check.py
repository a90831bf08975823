#!/usr/bin/env python3
"""Exports three portfolios and has hledger, ledger and Beancount read them: all accept, all reckon what bitpal does.

Usage: check.py BITPAL, in the root of the package. Nothing outside a temporary folder is written.
"""
import csv
import io
import os
import pathlib
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
    ],
    "euros": [
        "buy 3 btc --total 100000 --date 2024-08-02 --fee 10 --currency eur",
        "sell 1 btc --price 70000 --date 2024-09-02 --fee 7",
        "sell 0.7 btc --price 71000.55 --date 2024-10-02",
        "send 0.001 btc --label transfer --date 2024-10-02",
    ],
}


def main(tool):
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

        run(tool, "trust")
        for name, lines in BOOKS.items():
            for line in lines:
                bitpal(line + " --create", name)
            compare(name, run, bitpal, folder)


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
        return sum(Decimal(row[1].split()[0]) for row in rows[1:])

    def ledger(*words):
        return Decimal(run("ledger", "-f", f"{book}.ledger", "bal", *words).split()[0])

    def beancount(query):
        return Decimal(run("bean-query", "-q", "-f", "csv", f"{book}.beancount", query).split("\n")[1].split()[0])

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


main(sys.argv[1])
