from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 15, 4, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    days = (9, 12, 13, 14) if state == "later" else (9, 12)
    rows = [(at(2026, 1, d, 9, 15, zone="Asia/Kolkata"), 24 + d / 100, 24 + d / 100, 24 + d / 100, 24 + d / 100) for d in days]
    return chart("0P0001.BO", "INR", NOW, "Asia/Kolkata", query.get("interval", "1d"), rows, query, regularMarketTime=rows[-1][0])
