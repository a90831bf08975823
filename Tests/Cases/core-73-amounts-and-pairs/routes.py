from coins import answer  # noqa: F401
