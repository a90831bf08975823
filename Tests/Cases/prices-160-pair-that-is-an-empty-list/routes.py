import json


def answer(path, query, state):
    kind, pair = path.strip("/").split("/")
    price = {"XMRUSD": 100.5, "BTCUSD": 96000, "BTCEUR": 87000}.get(pair)
    return 200, {}, json.dumps([{"p": price}] if price else [] if kind == "empty" else [{"p": None}])
