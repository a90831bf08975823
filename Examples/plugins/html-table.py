#!/usr/bin/env python3
# Prices that stand in a table of a web page: <tr><td>BTC</td><td>96,841.33</td><td>+0.55%</td></tr>
import json, re, sys
HELLO = {"bitpal": 1, "id": "html-table", "name": "Moonbase",
         "answers": ["quotes"], "currencies": ["usd"], "batch": 100}
for line in sys.stdin:
    question = json.loads(line)
    answer = HELLO if "hello" in question else {"requests": [{"url": "https://www.moonbase.example/prices.html"}]}
    if asked := question.get("parse"):
        table, end, _ = asked["responses"][0].get("body", "").partition("</table>")
        rows = {row[0].lower(): row for row in re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)%</td></tr>", table)}
        answer = {"rows": [{"id": coin, "price": rows[ticker][1].replace(",", ""), "change_24h": rows[ticker][2].lstrip("+")}
                           for coin, ticker in zip(asked["coins"], asked["symbols"]) if ticker in rows]} \
            if end else {"error": {"code": "unreadable", "message": "the page has no whole table"}}
    print(json.dumps(answer), flush=True)
