import json


def answer(path, query, state):
    days = [("2025-12-24", "9.9"), ("2025-12-26", "10.0"), ("2025-12-30", "11.0"), ("2026-01-15", "12.0")]
    rows = [{"date": day, "rate": float(rate)} for day, rate in days]
    return 200, {}, json.dumps(rows[-1] if path.startswith("/latest") else rows)
