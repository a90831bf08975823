import json
from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 9, 17, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    if state == "down":
        return 503, {}, "down"
    if "NONE.DE" in path:
        error = {"code": "Not Found", "description": "No data found, symbol may be delisted"}
        return 404, {}, json.dumps({"chart": {"result": None, "error": error}})
    # The seventh is a holiday; the tenth and the eleventh are a weekend.
    rows = [(at(2026, 1, d, 9, 0, zone="Europe/Berlin"), 40 + d, 40 + d, 40 + d, 40 + d) for d in (2, 5, 6, 8, 9)]
    return chart("MOON.DE", "EUR", NOW, "Europe/Berlin", query.get("interval", "1d"), rows, query)
