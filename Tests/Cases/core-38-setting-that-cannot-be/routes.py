from coins import answer

__all__ = ["answer"]
