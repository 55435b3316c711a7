#!/usr/bin/env python3
"""Records which pages of managed memory move on the GPU of this machine.

    record_pages.py OUT      needs nvcc on the PATH, and CUPTI beside it
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("pages.cu")


def main():
    compiler = shutil.which("nvcc")
    if len(sys.argv) != 2 or compiler is None:
        sys.exit(__doc__)
    places = [pathlib.Path(compiler).resolve().parents[1] / inner for inner in ("targets/x86_64-linux", "extras/CUPTI")]
    libraries = [place / name for place in places for name in ("lib", "lib64")]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "pages")
        subprocess.run([compiler, "-std=c++17", "-O1", "-arch=native", *(f"-I{place}/include" for place in places), SOURCE, "-o", program,
                        *(f"-L{library}" for library in libraries), "-lcupti"], check=True)
        paths = ":".join([*map(str, libraries), os.environ.get("LD_LIBRARY_PATH", "")])
        said = subprocess.run([program], env={**os.environ, "LD_LIBRARY_PATH": paths}, check=True, capture_output=True, text=True).stdout
    pathlib.Path(sys.argv[1]).write_text(said)


if __name__ == "__main__":
    main()
