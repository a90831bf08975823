#!/usr/bin/env python3
# A plugin for NAME: it plans requests and reads the responses. It sends no requests itself. See docs/plugins.md.
from json import dumps, loads
from sys import stdin
from urllib.parse import urlencode

HELLO = {
    "bitpal": 1,
    "id": "NAME",
    "name": "NAME",
    "answers": ["quotes"],  # and coin_list, detail, line, candles
}


def plan(ask):
    query = urlencode({"symbol": ask["symbols"][0].upper(), "currency": ask["currency"].upper()})
    return {"requests": [{"url": "https://HOST/price?" + query}]}


def parse(ask):
    # Numbers stay the texts that they are, with all their digits.
    body = loads(ask["responses"][0]["body"], parse_float=str, parse_int=str)
    if "error" in body:
        return {"error": {"code": "not_found", "message": body["error"]}}
    return {"rows": [{"id": ask["coins"][0], "price": body["price"], "time": body["time"]}]}


for line in stdin:
    message = loads(line)
    try:
        answer = HELLO if "hello" in message else plan(message["plan"]) if "plan" in message else parse(message["parse"])
    except (KeyError, TypeError, ValueError) as fault:
        answer = {"error": {"code": "unreadable", "message": repr(fault)}}
    print(dumps(answer), flush=True)
