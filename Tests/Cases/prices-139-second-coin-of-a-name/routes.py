import json

GECKO = {"beam": ("beam", "Beam", 0.031), "portal": ("portal", "Portal (Old)", 0.5), "beam-2": ("beam", "Beam", 0.006),
         "portal-2": ("portal", "Portal", 0.0199), "bitcoin": ("btc", "Bitcoin", 68000)}
BASE = {"BTC": ("Bitcoin", "68000"), "BEAM": ("Beam", "0.006"), "PORTAL": ("Portal", "0.0199")}


def answer(path, query, state):
    if path.startswith("/gecko"):
        if state == "down":
            return 503, {}, "{}"
        if path.endswith("/coins/list"):
            return 200, {}, json.dumps([{"id": i, "symbol": s, "name": n} for i, (s, n, _) in GECKO.items()])
        ids = [i for i in query.get("ids", "").split(",") if i in GECKO]
        return 200, {}, json.dumps([{"id": i, "symbol": GECKO[i][0], "name": GECKO[i][1], "current_price": GECKO[i][2]} for i in ids])
    if path.endswith("/currencies"):
        return 200, {}, json.dumps([{"id": s, "name": n, "status": "online", "details": {"type": "crypto"}} for s, (n, _) in BASE.items()])
    symbol = path.split("/")[3].removesuffix("-USD")
    if symbol not in BASE:
        return 404, {}, '{"message":"NotFound"}'
    return 200, {}, json.dumps({"open": BASE[symbol][1], "last": BASE[symbol][1], "volume": "100"})
