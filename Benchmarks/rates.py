"""Reads exchange rates as a Python program would, for as long as it is told to.

usage: rates.py CSV XML
Each line of standard input is what to read and how often ("csv 3", "xml 1", "cross 1"); one line answers it: how many rows
came out. The first line that is printed says what it reads with.
"""

import csv
import io
import sys
from datetime import date
from decimal import Decimal

try:
    from lxml import etree as tree

    library = "lxml " + tree.__version__
except ImportError:
    from xml.etree import ElementTree as tree

    library = "ElementTree"

NAMESPACE = "{http://www.ecb.int/vocabulary/2002-08-01/eurofxref}"


def read_csv(body):
    rows = csv.reader(io.StringIO(body.decode()))
    column = next(rows).index("USD")
    return [(date.fromisoformat(row[0]), Decimal(row[column])) for row in rows]


def read_xml(body):
    return [
        (date.fromisoformat(day.get("time")), Decimal(rate.get("rate")))
        for day in tree.fromstring(body).find(NAMESPACE + "Cube")
        for rate in day
        if rate.get("currency") == "USD"
    ]


def read_cross(body):
    rows = []
    for day in tree.fromstring(body).find(NAMESPACE + "Cube"):
        rates = {rate.get("currency"): rate.get("rate") for rate in day}
        rows.append((date.fromisoformat(day.get("time")), Decimal(rates["GBP"]) / Decimal(rates["USD"])))
    return rows


bodies = [open(path, "rb").read() for path in sys.argv[1:3]]
readers = {"csv": (read_csv, bodies[0]), "xml": (read_xml, bodies[1]), "cross": (read_cross, bodies[1])}
print(f"Python {sys.version.split()[0]}, csv and {library}", flush=True)
for line in sys.stdin:
    what, times = line.split()
    read, body = readers[what]
    for _ in range(int(times)):
        rows = read(body)
    print(len(rows), flush=True)
