#!/usr/bin/env python3
"""Puts the tables of docs/time-model.md in anew: errors by half and by kernel, picks of block shapes, figures; and
draws its picture.

usage: tests/data/truth/time_page.py CORE_TESTS WARPLENS

The test TimeTruth makes them from times_h200.txt, times_held_out_h200.txt and time_work.jsonl, and fails where the
document has others.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

if len(sys.argv) != 3:
    sys.exit(__doc__)
page = pathlib.Path(__file__).resolve().parents[3] / "docs/time-model.md"
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "tables.json")
    subprocess.run([sys.argv[1], "--gtest_filter=TimeTruth.TheDocumentHasTheseTables"], check=True,
                   env={**os.environ, "WARPLENS_TIME_TABLES": file}, stdout=subprocess.DEVNULL)
    made = json.loads(pathlib.Path(file).read_text())
    times = os.path.join(folder, "times.json")
    pathlib.Path(times).write_text(json.dumps(made["times"]))
    subprocess.run([sys.argv[2], "render", "times", times, "--size", "1000x860", "--theme", "light", "--out",
                    str(page.with_name("time-model.png"))], check=True)
    tables = made["tables"]
text = page.read_text()
for name, table in tables.items():
    mark = f"<!-- table: {name} -->"
    if mark not in text:
        sys.exit(f"{page} has no {mark}")
    text = re.sub(re.escape(mark) + r".*?<!-- /table -->", lambda _: f"{mark}\n\n{table}\n<!-- /table -->", text,
                  count=1, flags=re.S)
page.write_text(text)
