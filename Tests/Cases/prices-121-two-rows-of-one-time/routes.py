import json
from datetime import datetime, timezone

START = int(datetime(2026, 1, 14, 11, tzinfo=timezone.utc).timestamp())

# Beside the row of 12:00 at 101, with a volume of 50: another one with this price, and this volume.
OTHERS = {"fragment": (400, 1), "revised": (101.5, 60), "alike": (101, 50), "unsaid": (102, None), "far": (400, None), "zero": (0, 0), "empty": (None, None)}


def answer(path, query, state):
    price, volume = OTHERS[query["coin"]]
    rows = [(START + 3600 * i, 100 + i, None if volume is None else 50) for i in range(24)]
    rows.insert(2, (START + 3600, price, volume))
    return 200, {}, json.dumps([{"t": time, "p": price, "v": volume} for time, price, volume in rows])
