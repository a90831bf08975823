from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 15, 20, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    rows = [(at(2026, 1, 5, 14 + h, 30), 180 + h, 183 + h, 179 + h, 181 + h) for h in range(7)]
    rows.append((at(2026, 1, 15, 19, 59, 58), 190, 190, 190, 190))
    return chart("AAPL", "USD", NOW, "America/New_York", query.get("interval", "1h"), rows, {})
