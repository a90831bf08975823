"""A list in which UNI and FOO are each the ticker of two coins, and a price for any ticker."""
import json

COINS = [("uniswap", "UNI"), ("unicorn", "UNI"), ("foo", "FOO"), ("foobar", "foo"), ("bar", "BARR")]


def answer(path, query, state):
    if path == "/list":
        return 200, {}, json.dumps([{"id": id, "symbol": symbol, "name": id.title()} for id, symbol in COINS])
    if path == "/l":
        return 200, {}, json.dumps([[1768262400, 5]])
    return 200, {}, json.dumps([{"symbol": symbol, "price": 5} for symbol in query["s"].split(",")])
