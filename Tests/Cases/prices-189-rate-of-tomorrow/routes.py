"""A coin at 1000 dollars; a dollar at 81.5 rubles on the 15th and 81.6 on the 16th, which the bank has in the afternoon.

Another bank has 81.4 on the 15th."""
import json


def answer(path, query, state):
    if path.startswith("/price"):
        return 200, {}, json.dumps({"price": 1000})
    if path.startswith("/line"):
        return 200, {}, json.dumps([["2026-01-%02d" % day, 1000] for day in range(5, 16)])
    if path == "/other":
        return 200, {}, json.dumps([["2026-01-14", "80.5"], ["2026-01-15", "81.4"]])
    if path == "/XML_dynamic.asp" and state == "broken-afternoon":
        return 503, {}, ""
    rates = {5 + number: "%d,5" % (71 + number) for number in range(11)} | {16: "81,6"}
    last = 16 if "afternoon" in state else 15
    if path.endswith("daily.asp"):
        row = '<Valute ID="R01235"><CharCode>USD</CharCode><Nominal>1</Nominal><Name>x</Name><Value>%s</Value></Valute>'
        return 200, {"Content-Type": "text/xml"}, '<ValCurs Date="%02d.01.2026" name="x">%s</ValCurs>' % (last, row % rates[last])
    last = min(last, int(query["date_req2"][:2]))
    row = '<Record Date="%02d.01.2026" Id="R01235"><Nominal>1</Nominal><Value>%s</Value></Record>'
    rows = "".join(row % (day, rate) for day, rate in rates.items() if day <= last)
    return 200, {"Content-Type": "text/xml"}, '<ValCurs ID="R01235" name="x">%s</ValCurs>' % rows
