"""Closes of a coin until 15 January 2026, and the rates of a bank until the lev's last day."""
import datetime
import json


def answer(path, query, state):
    last = datetime.date(2026, 1, 15) if path == "/line" else datetime.date(2025, 12, 31)
    days = [last - datetime.timedelta(day) for day in range(60)]
    price = (lambda day: (day - datetime.date(1970, 1, 1)).days) if path == "/line" else (lambda day: 1.75)
    return 200, {}, json.dumps([{"t": str(day), "p": price(day)} for day in days])
