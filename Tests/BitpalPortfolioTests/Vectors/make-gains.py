#!/usr/bin/env python3
"""Writes gains.json: random transactions, and what every method makes of them, reckoned with Python's decimal.

This is a reading of the rules in docs/portfolio.md of its own; it shares nothing with the program. Lots are kept in a plain list
that is sorted anew for every disposal. Run it in its folder: python3 make-gains.py > gains.json
"""
import json
import random
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 200
UNIT = Decimal(1).scaleb(-18)
DAY = 86_400_000
START = 1_704_067_200_000


def text(number):
    number = number.normalize() if number else Decimal(0)
    return format(number, "f")


def exact_part(amount, of, whole):
    return (amount * of / whole).quantize(UNIT, ROUND_HALF_EVEN)


def part(amount, of, whole):
    return min(amount, exact_part(amount, of, whole))


def order(method):
    return {
        "fifo": lambda lot: lot["number"],
        "lifo": lambda lot: -lot["number"],
        "hifo": lambda lot: (-lot["price"], lot["number"]),
    }[method]


def days(start, end):
    return end // DAY - start // DAY


def by_lots(rows, method):
    lots, gains, sent = [], [], Decimal(0)
    for number, row in enumerate(rows):
        amount = row["amount"]
        value = None if row["price"] is None else amount * row["price"]
        if row["type"] in ("buy", "receive"):
            lots.append({"coin": row["coin"], "date": row["date"], "quantity": amount, "cost": value,
                         "price": row["price"], "number": number})
            continue
        wanted, proceeds, fee = amount, value, row["fee"]
        for lot in sorted((lot for lot in lots if lot["coin"] == row["coin"]), key=order(method)):
            if not wanted:
                break
            taken = min(wanted, lot["quantity"])
            cost = lot["cost"] if taken == lot["quantity"] else part(lot["cost"], taken, lot["quantity"])
            lot["quantity"] -= taken
            lot["cost"] -= cost
            if proceeds is None:
                sent += cost
            else:
                brought = proceeds if taken == wanted else part(proceeds, taken, wanted)
                paid = fee if taken == wanted else part(fee, taken, wanted)
                proceeds -= brought
                fee -= paid
                gains.append([row["coin"], row["date"], lot["date"], days(lot["date"], row["date"]), text(taken),
                              text(brought), text(cost), text(paid), text(brought - cost - paid)])
            wanted -= taken
        assert not wanted
        lots = [lot for lot in lots if lot["quantity"]]
    left = [[lot["coin"], lot["date"], text(lot["quantity"]), text(lot["cost"])]
            for lot in sorted(lots, key=lambda lot: (lot["coin"], lot["number"]))]
    return {"gains": gains, "lots": left, "sent": text(sent)}


def by_average(rows):
    held, cost, gains, sent = {}, {}, [], Decimal(0)
    for row in rows:
        coin, amount = row["coin"], row["amount"]
        if row["type"] in ("buy", "receive"):
            held[coin] = held.get(coin, Decimal(0)) + amount
            cost[coin] = cost.get(coin, Decimal(0)) + amount * row["price"]
            continue
        removed = cost[coin] if amount == held[coin] else exact_part(cost[coin], amount, held[coin])
        held[coin] -= amount
        cost[coin] -= removed
        if row["price"] is None:
            sent += removed
        else:
            brought = amount * row["price"]
            gains.append([coin, row["date"], None, None, text(amount), text(brought), text(removed), text(row["fee"]),
                          text(brought - removed - row["fee"])])
    left = [[coin, None, text(held[coin]), text(cost[coin])] for coin in sorted(held) if held[coin]]
    return {"gains": gains, "lots": left, "sent": text(sent)}


def number(dice, digits, places):
    return Decimal(dice.randint(1, 10 ** dice.randint(1, digits))).scaleb(-places)


def history(dice, count):
    rows, held, date = [], {}, START
    for _ in range(count):
        date += dice.choice([0, 0, 1, DAY // 3, DAY, 40 * DAY])
        coin = dice.choice(["bitcoin", "ethereum"])
        owned = held.get(coin, Decimal(0))
        price = number(dice, 9, dice.choice([0, 2, 8, 12]))
        fee = dice.choice([Decimal(0), number(dice, 4, 2)])
        if owned and dice.random() < 0.5:
            amount = owned if dice.random() < 0.2 else (owned / dice.randint(2, 9)).quantize(Decimal("1e-8"))
            if not amount:
                continue
            kind = dice.choice(["sell", "sell", "sell", "send"])
            if kind == "send":
                price = dice.choice([None, price])
            held[coin] = owned - amount
        else:
            amount = number(dice, 11, 8)
            kind = dice.choice(["buy", "buy", "buy", "receive"])
            if kind == "receive":
                price = dice.choice([Decimal(0), price])
            held[coin] = owned + amount
        rows.append({"type": kind, "coin": coin, "amount": amount, "price": price, "fee": fee, "date": date})
    return rows


def main():
    cases = []
    for seed in range(1, 41):
        rows = history(random.Random(seed), 18)
        outcome = {"average": by_average(rows)}
        for method in ("fifo", "lifo", "hifo"):
            outcome[method] = by_lots(rows, method)
        cases.append({
            "ops": [[row["type"], row["coin"], text(row["amount"]), None if row["price"] is None else text(row["price"]),
                     text(row["fee"]), row["date"]] for row in rows],
            "outcome": outcome})
    print(json.dumps({"cases": cases}, separators=(",", ":")).replace('},{"ops"', '},\n{"ops"'))


main()
