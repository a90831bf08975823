"""Answers in the form of Yahoo Finance's charts, for routes.py of several cases."""
import json
from datetime import datetime, timezone
from zoneinfo import ZoneInfo


def at(*parts, zone="UTC"):
    """The seconds since 1970 at which the clocks of a zone show a time."""
    return int(datetime(*parts, tzinfo=ZoneInfo(zone)).timestamp())


def chart(symbol, currency, now, zone, interval, rows, query, **meta):
    """Rows are (seconds, open, high, low, close); `now` is an instant of datetime, whose offset in the zone is gmtoffset."""
    if "period1" in query:
        rows = [r for r in rows if int(query["period1"]) <= r[0] <= int(query["period2"])]
    offset = int(now.astimezone(ZoneInfo(zone)).utcoffset().total_seconds())
    closes = [r[4] for r in rows if r[4] is not None] or [1]
    about = {"currency": currency, "symbol": symbol, "regularMarketTime": int(now.timestamp()) - 60, "gmtoffset": offset,
             "exchangeTimezoneName": zone, "regularMarketPrice": closes[-1], "shortName": symbol,
             "chartPreviousClose": closes[-2] if len(closes) > 1 else 1, "dataGranularity": interval}
    about.update(meta)
    columns = {name: [r[i] for r in rows] for i, name in ((1, "open"), (2, "high"), (3, "low"), (4, "close"))}
    body = {"meta": about, "timestamp": [r[0] for r in rows], "indicators": {"quote": [columns]}}
    return 200, {}, json.dumps({"chart": {"result": [body], "error": None}})
