"""Shares with a price on each day: FB since 2012, OLD since 1971, IDX since 1960."""
import datetime
import json

DAY = 86400


def answer(path, query, state):
    kind, name = path.strip("/").split("/")
    first = {"FB": 1337299200, "OLD": 31536000, "IDX": -315619200}[name]
    if kind == "n":
        start, end = int(query["from"]), int(query["to"])
        if start < 0:
            return 400, {}, json.dumps({"error": "from is before 1970"})
    else:
        start, end = (int(datetime.datetime.fromisoformat(query[key] + "+00:00").timestamp()) for key in ("from", "to"))
    days = range(max(first, -(-start // DAY) * DAY), min(end, 1768435200) + 1, DAY)
    stamp = (lambda t: t) if kind == "n" else (lambda t: str(datetime.date(1970, 1, 1) + datetime.timedelta(t // DAY)))
    return 200, {}, json.dumps([{"t": stamp(t), "p": 40000 + t // DAY} for t in days])
