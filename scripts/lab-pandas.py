#!/usr/bin/env python3
"""Rows of experiments as a pandas table: `moku lab report DIR --json | scripts/lab-pandas.py [out.csv]`."""
import json, sys
import pandas as pd

rows = pd.DataFrame([{"experiment": c["name"], "budget": c["budget"], **f} for c in json.load(sys.stdin) for f in c.get("figures", [])])
rows[["low", "high"]] = pd.DataFrame(rows["interval"].tolist(), index=rows.index)
rows = rows[["experiment", "budget", "row", "games", "rate", "low", "high", "published", "verdict"]]
if len(sys.argv) > 1:
    rows.to_csv(sys.argv[1], index=False)
print(rows.round(3).to_string(index=False))
