#!/usr/bin/env python3
"""tools/prose finds the phrases of its list in pages, comments and messages, and nowhere else."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

if not shutil.which("diction"):
    print("SKIPPED: diction is not installed")
    sys.exit(77)

PAGE = """# Begun anew

It is made
anew when a file changes. `anew` is code, and so is this:

```
anew
```

A new day. Renewed. [A link](anew.md) anew <!-- prose: ok -->
Anew it begins.
"""
PROGRAM = """#include "anew.h"
// Read anew
// for each run.
int anew = 1;  // fine
int again = 2;  // it begins anew
const char* said = "It was anew there";
const char* key = "anew";
"""


def run(*arguments):
    ran = subprocess.run([ROOT / "tools/prose", *arguments], capture_output=True, text=True, timeout=60)
    return ran.returncode, ran.stdout.splitlines(), ran.stderr


with tempfile.TemporaryDirectory() as folder:
    page, program, empty = (pathlib.Path(folder) / name for name in ("page.md", "program.cpp", "empty.md"))
    page.write_text(PAGE, encoding="utf-8")
    program.write_text(PROGRAM, encoding="utf-8")
    empty.write_text("", encoding="utf-8")

    status, found, _ = run(page)
    assert status == 1, found
    assert [line.split(":")[1] for line in found] == ["1", "3", "11"], found
    assert all("again" in line for line in found), found

    status, found, _ = run(program)
    assert status == 1 and [line.split(":")[1] for line in found] == ["2", "5", "6"], found

    assert run(empty) == (0, [], ""), run(empty)
    status, found, said = run(pathlib.Path(folder) / "none.md")
    assert status == 1 and not found and "none.md is no file" in said, said
print("prose: pages, comments and messages")
