from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 14, 14, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    rows = [(at(2026, 1, d, 7), 20000 + d, 20300, 19900, 20100 + d) for d in (12, 13, 14)]
    rows.append((at(2026, 1, 14, 13, 41, 7), 20114, 20450, 19950, 20400))
    return chart("IMP.JO", "ZAc", NOW, "Africa/Johannesburg", query.get("interval", "1d"), rows, query)
