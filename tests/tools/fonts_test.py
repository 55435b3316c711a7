#!/usr/bin/env python3
"""Pictures in files use the fonts of the program: they are the same where no font is installed."""
import os
import pathlib
import subprocess
import sys
import tempfile

warplens = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    here = pathlib.Path(folder)
    none = here / "fonts.conf"
    none.write_text(f"<fontconfig><dir>{here}/none</dir><cachedir>{here}/cache</cachedir></fontconfig>")
    pictures = []
    for name, extra in (("with.png", {}), ("without.png", {"FONTCONFIG_FILE": str(none)})):
        command = [warplens, "render", "occupancy", "--device", "3060", "--out", str(here / name)]
        subprocess.run(command, check=True, env={**os.environ, **extra}, stdout=subprocess.DEVNULL)
        pictures.append((here / name).read_bytes())
    if pictures[0] != pictures[1]:
        sys.exit("a picture depends on the fonts that are installed")
print("pictures are the same with and without installed fonts")
