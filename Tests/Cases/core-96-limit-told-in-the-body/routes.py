"""A source whose state is the status and the text of every answer."""


def answer(path, query, state):
    status, _, text = state.partition(" ")
    return int(status), {}, text
