"""Every function that CUDA's headers of this machine declare is in the driver's table (cuda/stand_in/driver/api.def), under each of its
symbols."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
SKIPPED = 77


def symbols_of(header):
    """By which a program asks for what is declared: `#define cuMemAlloc cuMemAlloc_v2` and __CUDA_API_PTSZ(cuMemAlloc_v2)."""
    declared = set(re.findall(r"\bCUDAAPI\s+(cu\w+)\s*\(", header))
    renamed = {new for name, new in re.findall(r"^\s*#\s*define\s+(cu\w+)\s+(cu\w+)\s*$", header, re.M) if name in declared}
    of_threads = {f"{name}_{ending.lower()}" for ending, name in re.findall(r"__CUDA_API_(PTSZ|PTDS)\((cu\w+)\)", header)}
    return declared | renamed | of_threads


def main():
    found = [*CACHE.glob("cuda-*/include/cuda.h"), pathlib.Path("/usr/local/cuda/include/cuda.h")]
    headers = [path.read_text(encoding="utf-8", errors="replace") for path in found if path.exists()]
    if not headers:
        print("skipped: there is no cuda.h on this machine")
        return SKIPPED
    table = set(re.findall(r"^DRIVER_\w+\(\w+, \d+, (\w+)", (ROOT / "cuda/stand_in/driver/api.def").read_text(encoding="utf-8"), re.M))
    for header in headers:
        wanted = symbols_of(header)
        assert len(wanted) > 500 and {"cuMemAlloc_v2", "cuLaunchKernel", "cuLaunchKernel_ptsz"} <= wanted, len(wanted)
        assert wanted <= table, f"not in cuda/stand_in/driver/api.def: {sorted(wanted - table)}"
    return 0


sys.exit(main())
