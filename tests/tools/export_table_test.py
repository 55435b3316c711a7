"""Who asks for tables of NVIDIA's driver: the runtime library, of which a program is told, and NVIDIA's compilers, which do without."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ASKS = """int cuGetExportTable(const void**, const void*);
int ask(void) { const void* table; return cuGetExportTable(&table, "0123456789abcdef"); }
"""
SCRIPT = """import ctypes, sys
ctypes.CDLL("libcuda.so.1", ctypes.RTLD_GLOBAL).cuInit(0)
assert ctypes.CDLL(sys.argv[1]).ask() == 1
"""


def main():
    launcher = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("gcc") or not (launcher.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: there is no gcc, or this build has no driver for programs")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "ask.c").write_text(ASKS, encoding="utf-8")
        for name, is_told in (("libnvrtc.so.13", False), ("libother.so", True)):
            library = f"{folder}/{name}"
            # No tail call: the driver looks where its call returns to.
            subprocess.run(["gcc", "-O0", "-shared", "-fPIC", f"{folder}/ask.c", "-o", library], check=True)
            done = subprocess.run([launcher, "program", "--", sys.executable, "-c", SCRIPT, library], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            assert ("NVIDIA's runtime library is linked into this program" in done.stderr) == is_told, (name, done.stderr)
    return 0


sys.exit(main())
