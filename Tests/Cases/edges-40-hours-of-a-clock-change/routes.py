from datetime import datetime
from zoneinfo import ZoneInfo


def answer(path, query, state):
    """Candles of an hour; from 06:00 to 08:00 in Berlin the source pauses."""
    rows = ["t,o,h,l,c"]
    start = int(query["from"]) // 3600 * 3600
    for opening in range(start, int(query["to"]) + 1, 3600):
        if datetime.fromtimestamp(opening, ZoneInfo("Europe/Berlin")).hour not in (6, 7):
            n = (opening - start) // 3600 % 12
            rows.append(f"{opening},{100 + n},{104 + n},{98 + n},{102 + n - 4 * (n % 2)}")
    return 200, {"Content-Type": "text/csv"}, "\n".join(rows) + "\n"
