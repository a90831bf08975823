"""A coin that only the source of euros has."""
import json


def answer(path, query, state):
    if path.startswith("/a") and "dot" in path:
        return 404, {}, json.dumps({"error": "no such coin"})
    return 200, {}, json.dumps({"price": 1.5} if "price" in path else [["2026-01-14", 1.5]])
