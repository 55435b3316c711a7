"""Every function that CUDA's headers of this machine declare is in the runtime's table (cuda/stand_in/runtime/api.def) for their major
version, the built libraries export it with NVIDIA's symbol version, and structs lie as in these headers."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
SKIPPED = 77


def table():
    """Major version → names."""
    rows = re.findall(r"^RUNTIME_\w+\((\w+), (both|only_12|only_13)[,)]", (ROOT / "cuda/stand_in/runtime/api.def").read_text("utf-8"), re.M)
    return {major: {name for name, majors in rows if majors in ("both", f"only_{major}")} for major in (12, 13)}


def declared(header, major):
    """By which a program asks for what is declared."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    names = set(re.findall(r"\bCUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", header))
    for name, symbol in re.findall(r"^#define\s+(cuda\w+)\s+(cuda\w+_v\d)\s*$", header, re.M):
        names = names - {name} | {symbol}
    return names


def main():
    tables = table()
    assert len(tables[12]) > 350 and len(tables[13]) > 350
    seen = 0
    for folder in [*CACHE.glob("cuda-*/include"), *CACHE.glob("nvcc-*/nvidia/cu13/include"), pathlib.Path("/usr/local/cuda/include")]:
        path = folder / "cuda_runtime_api.h"
        if not path.exists():
            continue
        header = path.read_text(encoding="utf-8", errors="replace")
        version = int(re.search(r"#define CUDART_VERSION\s+(\d+)", header).group(1))
        major = version // 1000
        if version > 13000:
            continue  # newer than the table
        seen += 1
        wanted = declared(header, major)
        assert len(wanted) > 250 and {"cudaMalloc", "cudaLaunchKernel"} <= wanted, len(wanted)
        assert wanted <= tables[major], f"{path}: not in cuda/stand_in/runtime/api.def: {sorted(wanted - tables[major])}"
        if shutil.which("g++"):
            subprocess.run(["g++", "-std=c++20", "-fsyntax-only", f"-DWARPLENS_CUDART_MAJOR={major}", f"-I{ROOT}", "-isystem",
                            str(folder), str(ROOT / "tests/tools/runtime_layout.cpp")], check=True)
    libraries = pathlib.Path(sys.argv[1]).resolve().parent / "runtime"
    for major in (12, 13):
        library = libraries / f"libcudart.so.{major}"
        if not library.exists() or not shutil.which("nm"):
            continue
        seen += 1
        text = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True).stdout
        shown = set(re.findall(rf" T (\w+)@@libcudart\.so\.{major}$", text, re.M))
        assert tables[major] <= shown, f"{library} lacks {sorted(tables[major] - shown)}"
        assert {"__cudaRegisterFatBinary", "__cudaPushCallConfiguration", "__cudaLaunchKernel"} <= shown
        extra = {name for name in shown - tables[major] if not name.startswith("__cuda")}
        assert extra == {"warplens_register_linked_binary"}, extra
    if not seen:
        print("skipped: there are neither CUDA headers nor a built runtime library here")
        return SKIPPED
    return 0


sys.exit(main())
