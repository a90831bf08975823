from email.utils import formatdate
from time import time

import coins


def answer(path, query, state):
    if state.endswith("date"):
        return 403, {"Retry-After": formatdate(time() + 90, usegmt=True)}, "<html>slow down</html>"
    return coins.answer(path, query, state)
