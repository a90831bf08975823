#!/usr/bin/python3
"""Generates journals of prices and holds what `kind: file` reads against hledger, ledger and Beancount.

Usage: prices.py BITPAL [SEED] [JOURNALS], in the root of the package. Nothing outside a temporary folder is written.

Each line prices a commodity of its own, so that each program has one figure for it or none. Where all programs that read the
line agree, bitpal has that price, or refuses a lone mark before groups of three digits, which only a directive can decide. Where
they differ, bitpal refuses the line by its number.
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
from decimal import Decimal

from beancount import loader
from beancount.core import data

ROOT = pathlib.Path(__file__).resolve().parents[2]
CURRENCIES = ("EUR", "USD")
NAMES = [f"X{chr(65 + n // 26)}{chr(65 + n % 26)}" for n in range(200)]


def number(random):
    """A number in one of the ways in which people write them, and some in which nobody should."""
    whole, fraction = str(random.randint(0, 9_999_999)), "".join(random.choices("0123456789", k=random.choice((0, 1, 2, 3, 4, 6))))
    first, rest = whole[: len(whole) % 3 or 3], [whole[i : i + 3] for i in range(len(whole) % 3 or 3, len(whole), 3)]
    style = random.choice(("plain", "plain", "comma", "english", "german", "odd", "lone"))
    if style == "plain":
        return whole + ("." + fraction if fraction else "")
    if style == "comma":
        return whole + ("," + fraction if fraction else "")
    if style == "english":
        return ",".join([first] + rest) + ("." + fraction if fraction else "")
    if style == "german":
        return ".".join([first] + rest) + ("," + fraction if fraction else "")
    if style == "lone":
        return f"{random.randint(1, 999)}{random.choice('.,')}{random.randint(0, 999):03}"
    return "".join(random.choice("0123456789.,") for _ in range(random.randint(3, 8)))


def journal(random, form):
    """The lines of a journal, and which of them price what in which currency."""
    lines, prices = [], {}
    names = iter(NAMES)
    if form == "ledger":
        for currency in CURRENCIES:
            if random.random() < 0.3:
                style = random.choice(("1,000.00", "1.000,00"))
                lines += random.choice(([f"commodity {currency}", f"    format {style} {currency}"], [f"D {style} {currency}"]))
        if random.random() < 0.3:
            lines += ["", "2025-01-01 rent", f"    expenses:rent    {random.choice(('1.000,50', '1,000.50', '7,5'))} EUR",
                      "    assets:cash", ""]
    for _ in range(random.randint(3, 12)):
        name, currency = next(names), random.choice(CURRENCIES)
        if form == "beancount":
            lines.append(f"2025-01-{random.randint(10, 15)} price {name} {number(random)} {currency}")
        else:
            date = random.choice(("2025-01-12", "2025/01/13", "2025/1/14 10:30:00"))
            amount = random.choice((f"{number(random)} {currency}", f"{currency} {number(random)}"))
            comment = random.choice(("", "", " ; a comment"))
            lines.append(f"P {date} {name} {amount}{comment}")
        prices[name] = (len(lines), currency, lines[-1])
        if random.random() < 0.1:
            lines += ["comment", f"P 2025-01-15 {name} 1 {currency}", "end comment"] if form == "ledger" else ["; nothing"]
    return lines, prices


class Programs:
    """What hledger, ledger and Beancount read, one journal at a time."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *words):
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True)

    def alone(self, lines, prices, name):
        """The journal without the prices of the other commodities: one that cannot be read hides none of them."""
        others = {line for other, (line, _, _) in prices.items() if other != name}
        return "\n".join(line for at, line in enumerate(lines, 1) if at not in others) + "\n"

    def figures(self, form, lines, prices, name):
        text = self.alone(lines, prices, name)
        _, currency, _ = prices[name]
        if form == "beancount":
            return {"beancount": self.beancount(text, name, currency)}
        held = f"\n2025-02-01 hold\n    assets:held    1 {name}\n    equity:open\n"
        return {"hledger": self.hledger(text + held, currency), "ledger": self.ledger(text + held, currency)}

    def hledger(self, text, currency):
        pathlib.Path(self.folder, "one.hledger").write_text(text)
        outcome = self.run("hledger", "-f", "one.hledger", "bal", "assets:held", f"--value=then,{currency}", "-N", "-O", "csv",
                           "-c", f"1.000000000000 {currency}")
        rows = list(csv.reader(io.StringIO(outcome.stdout)))[1:]
        return self.figure(rows[0][1], currency) if outcome.returncode == 0 and rows else None

    def ledger(self, text, currency):
        pathlib.Path(self.folder, "one.ledger").write_text(text)
        outcome = self.run("ledger", "-f", "one.ledger", "bal", "assets:held", "-X", currency, "--flat", "--no-total", "--now",
                           "2025-03-01", "--format", "%(quantity(scrub(display_total))) %(commodity(scrub(display_total)))\n")
        return self.figure(outcome.stdout.strip(), currency) if outcome.returncode == 0 else None

    def beancount(self, text, name, currency):
        entries, _, _ = loader.load_string(text)
        figures = [entry.amount for entry in entries if isinstance(entry, data.Price) and entry.currency == name]
        return figures[0].number if figures and figures[0].currency == currency else None

    @staticmethod
    def figure(text, currency):
        match = re.fullmatch(rf"\"?([0-9.]+) {currency}\"?", text.strip())
        return Decimal(match[1]) if match else None


class Bitpal:
    """What `kind: file` reads."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        os.makedirs(f"{folder}/providers")
        pathlib.Path(f"{folder}/config.yaml").write_text("bitpal: 1\nprovider: mine\nproviders_dir: providers\n")
        pathlib.Path(f"{folder}/providers/mine.yaml").write_text("id: mine\nname: Mine\nkind: file\nfile: prices.db\n")
        self.environment = {**os.environ, "HOME": folder, **{f"XDG_{kind}_HOME": f"{folder}/{kind.lower()}" for kind in
                                                              ("DATA", "CACHE", "CONFIG", "STATE")}}
        pathlib.Path(f"{folder}/providers/prices.db").write_text("P 2025-01-01 X 1 EUR\n")
        assert self.run("trust").returncode == 0

    def run(self, *words):
        return subprocess.run((self.tool, *words), cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def read(self, text, prices):
        pathlib.Path(f"{self.folder}/providers/prices.db").write_text(text)
        found = {}
        for currency in CURRENCIES:
            names = [name for name, (_, own, _) in prices.items() if own == currency]
            if names:
                outcome = self.run("-q", "price", *names, "--currency", currency.lower(), "--format", "csv")
                for row in csv.DictReader(io.StringIO(outcome.stdout)):
                    found[row["id"]] = Decimal(row["price"])
        refused = self.run("providers", "check", "mine")
        return found, {int(line) for line in re.findall(r"prices\.db:(\d+):", refused.stdout + refused.stderr)}


def may_be_refused(line):
    """Whether the amount is a lone mark before groups of three digits, or is written in one program's way alone."""
    return re.search(r"(?<![\d.,])\d*[.,](\d{3})+(?![\d.,])", line) is not None


def main(tool, seed, count):
    print(f"prices of {count} journals, seed {seed}")
    wrong = []

    def expect(is_right, text):
        if not is_right:
            wrong.append(text)

    counts = {"agreed": 0, "refused by all": 0, "differed": 0, "left to a directive": 0}
    with tempfile.TemporaryDirectory() as folder:
        programs, bitpal = Programs(folder), Bitpal(tool, f"{folder}/bitpal")
        for at in range(count):
            generator = random.Random(f"{seed} {at}")
            form = generator.choice(("ledger", "ledger", "beancount"))
            lines, prices = journal(generator, form)
            found, refused = bitpal.read("\n".join(lines) + "\n", prices)
            for name, (line, currency, text) in prices.items():
                theirs = {program: figure for program, figure in programs.figures(form, lines, prices, name).items()
                          if figure is not None and figure > 0}
                own, where = found.get(name), f"seed {seed}, journal {at}, line {line}: {text}: {theirs}"
                if own is None:
                    expect(line in refused, f"{where}: bitpal neither has it nor refuses it\n" + "\n".join(lines))
                if len(set(theirs.values())) == 1:
                    counts["agreed" if own is not None else "left to a directive"] += 1
                    agreed = next(iter(theirs.values()))
                    fits = own == agreed or own is None and (len(theirs) < 2 and form == "ledger" or may_be_refused(text) or
                                                             has_odd_groups(text))
                    expect(fits, f"{where}: bitpal {own}\n" + "\n".join(lines))
                elif theirs:
                    counts["differed"] += 1
                    expect(own is None, f"{where}: bitpal {own}, refused {sorted(refused)}\n" + "\n".join(lines))
                else:
                    counts["refused by all"] += 1
                    expect(own is None, f"{where}: bitpal {own}\n" + "\n".join(lines))
    print(", ".join(f"{what}: {number}" for what, number in counts.items()))
    assert not wrong, "\n\n".join([f"{len(wrong)} prices are wrong, the first of them:"] + wrong[:5])


def has_odd_groups(line):
    """Whether a mark that separates groups stands elsewhere than before three digits."""
    amount = max(re.findall(r"[\d.,]*[.,][\d.,]*", line.split(";")[0].split(" ", 3)[-1]) or [""], key=len)
    groups = re.split(r"[.,]", amount)
    return len(groups) > 2 and any(len(group) != 3 for group in groups[1:-1]) or amount[:1] == "," or amount[-1:] in ",." \
        or len(groups) == 2 and amount[:1] in ".," or len(set(re.findall(r"[.,]", amount))) == 1 and len(groups) > 2


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000), int(sys.argv[3]) if len(sys.argv) > 3 else 200)
