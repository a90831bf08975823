"""A share that is split 10:1 on Monday, 10 June 2024; on Friday it was at 1200.

The source restates its closes where its state says so. On Monday morning its price is still that of Friday."""
import json


def answer(path, query, state):
    restates = "restated" in state
    if path.startswith("/now"):
        if "after" in state:
            return 200, {}, json.dumps({"last": 121, "open": 120 if restates else 1200, "at": "2024-06-10T15:00:00Z"})
        return 200, {}, json.dumps({"last": 120 if restates else 1200, "open": 119 if restates else 1190, "at": "2024-06-07T20:00:00Z"})
    if "without-closes" in state:
        return 500, {}, ""
    rows = {"2024-01-05": 1000, "2024-06-06": 1190, "2024-06-07": 1200}
    rows = {day: price / 10 if restates else price for day, price in rows.items()}
    return 200, {}, json.dumps([[day, price] for day, price in rows.items() if query["from"] <= day <= query["to"]])
