#!/bin/sh
# Puts the peers into a private Python environment: Benchmarks/peers.sh FOLDER
# Prints nothing when all is there, else one sentence that says why not.
folder=$1
python="$folder/bin/python"

command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed, so no peer is measured."; exit; }
[ -x "$python" ] || python3 -m venv "$folder" >/dev/null 2>&1 ||
  { echo "python3 cannot make a private environment (is python3-venv installed?), so no peer is measured."; exit; }
"$python" -c 'import beanprice, gunicorn, pricehist, pycoingecko, requests_cache' 2>/dev/null ||
  "$python" -m pip install --quiet --disable-pip-version-check pricehist pycoingecko requests-cache beanprice gunicorn \
    >/dev/null 2>&1 ||
  echo "pip cannot fetch the peers from PyPI, so no peer is measured."
