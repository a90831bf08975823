import json

PAGES = {
    "": ([("bitcoin", "BTC", "50000"), ("ethereum", "ETH", "2500")], "b"),
    "b": ([("monero", "XMR", "150"), ("solana", "SOL", "140")], "c"),
    "c": ([("cardano", "ADA", "0.5")], None),
}


def answer(path, query, state):
    rows, following = PAGES[query.get("after", "")]
    return 200, {}, json.dumps({"rows": [{"id": i, "s": s, "p": p} for i, s, p in rows], "next": following})
