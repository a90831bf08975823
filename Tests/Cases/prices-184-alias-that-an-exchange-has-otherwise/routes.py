"""A price for every pair."""


def answer(path, query, state):
    return 200, {}, '{"p":100.5}'
