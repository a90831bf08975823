import json

LONG = ("Thank you for asking! A free key has one request for each second, so please wait for a while between two of them, or look at the plans that "
        "are on our pages, all of which have more of everything, to lift the free rate limit (25 a day) and to get the premium endpoints as well")


def answer(path, query, state):
    if path.startswith("/gate"):
        return 400, {}, json.dumps({"label": "INVALID_CURRENCY", "message": "this one cannot be traded here"})
    return 200, {}, json.dumps({"Information": LONG})
