"""What a program executed, by valgrind's callgrind; for `Tools/flamegraph` and `Tools/order`."""

import subprocess
import tempfile


def profile(words, *options):
    """Runs a program with its arguments, and returns the lines of what callgrind wrote."""
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind cannot read the compiler's debug information; the names of functions are kept.
        program, output = f"{folder}/bitpal", f"{folder}/profile"
        subprocess.run(["strip", "-g", "-o", program, words[0]], check=True)
        subprocess.run(["valgrind", "--tool=callgrind", *options, f"--callgrind-out-file={output}", program, *words[1:]],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(output, encoding="utf-8", errors="replace") as file:
            return file.readlines()
