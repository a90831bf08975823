import json


def answer(path, query, state):
    if path == "/list":
        return 200, {}, json.dumps([{"id": "metadium", "symbol": "META", "name": "Metadium"}])
    known = [key for key in query["ids"].split(",") if key == "metadium" and state != "empty"]
    return 200, {}, json.dumps([{"id": key, "price": "0.0011"} for key in known])
