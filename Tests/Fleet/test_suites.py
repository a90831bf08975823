"""What every tier, every store of budgets and every lock keeps to, held against the real server by the tests of the library."""

import os
import subprocess
import unittest

from case import Case


class Suites(Case):
    def test_redis_passes_what_memory_and_sqlite_pass(self):
        redis = self.redis()
        ending = subprocess.run(
            [os.environ.get("SWIFT", "swift"), "test", *os.environ.get("BUILD_FLAGS", "").split(), "--skip-build", "--filter", "BitpalFleetTests|BitpalCacheTests|BitpalRateLimitTests"],
            cwd=os.environ["BITPAL_SOURCES"], env={**os.environ, "BITPAL_TEST_REDIS": redis.address, "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        failed = [line[:1000] for line in ending.stdout.splitlines() if "recorded an issue" in line or "error:" in line]
        self.assertEqual(ending.returncode, 0, "\n".join(failed) or ending.stdout[-3000:])
        # They were not passed over.
        self.assertIn("A budget on the server", ending.stdout)
        self.assertGreater(redis.keys(), [])


if __name__ == "__main__":
    unittest.main()
