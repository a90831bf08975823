#!/usr/bin/python3
"""Generates journals and holds the prices that `history --for` finds missing against hledger, ledger and Beancount.

Usage: needs.py BITPAL [SEED] [JOURNALS], in the root of the package. Nothing outside a temporary folder is written.

Whatever a program books of a commodity on a day needs a price of that day: a line of `history --for`, or one of the journal.
"""
import csv
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from beancount import loader
from beancount.core import data

COINS = ("BTC", "ETH", "SOL", "DOT")
DAYS = [f"2024-{month:02}-{day:02}" for month in (1, 2, 3) for day in range(1, 29)]


def transactions(random, form):
    """Purchases, exchanges, assignments, pads and amounts without a commodity, one or two of each day."""
    lines, has_default = [], form != "beancount" and random.random() < 0.5
    if form == "beancount":
        lines += ['option "operating_currency" "EUR"'] + [
            f"2024-01-01 open {account}" for account in ("Assets:Crypto", "Assets:Cash", "Equity:Opening", *(f"Assets:{coin}" for coin in COINS))]
    elif has_default:
        lines += ["D 1000.00 DOT", ""]
    accounts = ("Assets:Crypto", "Assets:Cash") if form == "beancount" else ("assets:crypto", "assets:cash")
    gap, kinds = "  ", ["buy", "swap", "elided", "plain"]
    if form == "hledger":
        kinds += ["assign", "dated"]
    if form == "beancount":
        kinds += ["pad", "lot"]
    if has_default:
        kinds.append("default")
    padded = set()
    for day in sorted(random.sample(DAYS, random.randint(3, 9))):
        coin, other = random.sample(COINS, 2)
        size, price = random.randint(1, 9), random.randint(1, 90)
        kind = random.choice(kinds)
        head = f'{day} * "x"' if form == "beancount" else f"{day} x"
        first, second = f"  {accounts[0]}{gap}", f"  {accounts[1]}"
        if kind == "buy":
            lines += [head, f"{first}{size} {coin} @ {price} EUR", f"{second}{gap}{-size * price} EUR"]
        elif kind == "swap":
            lines += [head, f"{first}{size} {coin} @@ {price} {other}", second]
        elif kind == "elided":
            lines += [head, f"{first}{size} {coin}", second]
        elif kind == "plain":
            lines += [head, f"{first}{size} {coin} ; note", f"{second}{gap}{-size} {coin}"]
        elif kind == "lot":
            lines += [head, f"{first}{size} {coin} {{{price} {other}}}", second]
        elif kind == "assign":
            lines += [head, f"  assets:{day}{gap}= {size} {coin}", second]
        elif kind == "dated":
            lines += [head, f"{first}{size} {coin}  ; date:{random.choice(DAYS)}", second]
        elif kind == "default":
            lines += [head, f"{first}{size}", second]
        elif kind == "pad" and coin not in padded:
            padded.add(coin)
            lines += [f"{day} pad Assets:{coin} Equity:Opening", f"2024-04-{len(padded):02} balance Assets:{coin} {size} {coin}"]
        lines.append("")
    return "\n".join(lines) + "\n"


def booked(form, path):
    """The commodities that a program moves, with the days."""
    if form == "beancount":
        entries, errors, _ = loader.load_file(path)
        assert not errors, errors
        return {(p.units.currency, str(e.date)) for e in entries if isinstance(e, data.Transaction) for p in e.postings}
    if form == "hledger":
        text = subprocess.run(["hledger", "-f", path, "reg", "-O", "csv"], capture_output=True, text=True, check=True).stdout
        rows = [(row["date"], row["amount"]) for row in csv.DictReader(io.StringIO(text))]
    else:
        text = subprocess.run(["ledger", "-f", path, "reg", "--no-color", "--format", "%(format_date(date, \"%Y-%m-%d\"))\t%(amount)\n"],
                              capture_output=True, text=True, check=True).stdout
        rows = [line.split("\t") for line in text.splitlines() if "\t" in line]
    return {(coin, day) for day, amount in rows for coin in re.findall(r"[A-Z]{3}", amount)}


def main(tool, seed, count):
    generator = random.Random(seed)
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        prices = "".join(f"P {day} {coin} {number + 1} EUR\n" for number, coin in enumerate(COINS) for day in DAYS + ["2024-05-31"])
        (home / "prices.db").write_text(prices)
        for part in (".config/bitpal", ".local/share/bitpal/providers"):
            os.makedirs(home / part)
        (home / ".config/bitpal/config.yaml").write_text("bitpal: 1\nprovider: mine\nconvert: none\ncurrency: eur\n")
        (home / ".local/share/bitpal/providers/mine.yaml").write_text("id: mine\nname: Mine\nkind: file\nfile: ~/prices.db\n")
        for number in range(count):
            form = ("hledger", "ledger", "beancount")[number % 3]
            path = home / f"{number}.{'beancount' if form == 'beancount' else 'journal'}"
            path.write_text(transactions(generator, form))
            outcome = subprocess.run(
                [tool, "history", "--for", path, "--format", form, "--now", "2024-06-01T12:00Z", "--offline"], cwd=folder,
                env={"HOME": folder, "PATH": os.environ["PATH"]}, capture_output=True, text=True)
            found = set()
            for line in outcome.stdout.splitlines():
                words = line.split()
                found.add((words[2], words[1]) if words[0] == "P" else (words[2], words[0]))
            wanted = {(coin, day) for coin, day in booked(form, str(path)) if coin != "EUR"}
            assert wanted <= found, f"{form}: {sorted(wanted - found)} lack prices\n{path.read_text()}{outcome.stderr}"
            checked += len(wanted)
    print(f"{count} journals, {checked} prices that a program needs: all found")


if __name__ == "__main__":
    words = sys.argv[1:]
    main(os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else 1, int(words[2]) if len(words) > 2 else 201)
