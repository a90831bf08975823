from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 15, 3, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    rows = [(at(2026, 1, d, 1, 30), 1400 + d, 1430, 1390, 1410 + d) for d in (12, 13)]
    rows += [(at(2026, 1, 14, 1, 30), 1414, 1420, 1410, None), (at(2026, 1, 15, 1, 30), None, None, None, None)]
    return chart("600519.SS", "USD", NOW, "Asia/Shanghai", query.get("interval", "1d"), rows, query)
