JSON = '{"prix": 5, "heure": 1768507000, "libellé": "Réduit"}'


def answer(path, query, state):
    return {
        "plain": (200, {}, JSON.encode("latin-1")),
        "declared": (200, {"Content-Type": "application/json; charset=utf-8"}, JSON.encode()),
        "mark": (200, {}, JSON.encode("utf-8-sig")),
        "wide": (200, {}, JSON.encode("utf-16-le")),
        "refusal": (404, {}, '{"erreur": "pas trouvé"}'.encode("latin-1")),
    }[path[1:]]
