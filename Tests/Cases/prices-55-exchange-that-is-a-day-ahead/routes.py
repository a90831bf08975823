from datetime import datetime, timezone

from yahoo import at, chart

NOW = datetime(2026, 1, 15, 20, 0, tzinfo=timezone.utc)


def answer(path, query, state):
    zone, currency = ("Asia/Tokyo", "JPY") if path.endswith(".T") else ("Australia/Sydney", "AUD")
    days = [1, 2, 3, 6, 7, 8]
    rows = [(at(2025, 10, d, 10 if currency == "AUD" else 9, zone=zone), d, d + 1, d - 0.5, d + 0.1) for d in days]
    rows.append((at(2026, 1, 15, 10, zone=zone), 15, 16, 14, 15.1))
    return chart(path.rsplit("/", 1)[1], currency, NOW, zone, query.get("interval", "1d"), rows, query)
