"""The libraries for programs (libraries/): each shows exactly the functions of its table, with NVIDIA's symbol version, and
the signatures of those that work are those of NVIDIA's headers, where these are on this machine."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
SKIPPED = 77
TABLES = {"cublas": "blas/api.def", "curand": "rand/api.def", "cublasLt": "refused/blas_lt.def", "cufft": "refused/fft.def",
          "cusolver": "refused/solver.def", "cusparse": "refused/sparse.def"}
HEADERS = {"blas": "cublas_api.h", "rand": "curand.h"}


def names_of(table):
    names = re.findall(r"^LIBRARY_\w+\((\w+)\)$", (ROOT / "cuda/stand_in/libraries" / table).read_text(encoding="utf-8"), re.M)
    assert len(names) == len(set(names)) and names == sorted(names), f"{table} is not in order"
    return set(names)


def check_exports(folder):
    seen = 0
    for path in sorted(folder.glob("*.so.*")):
        name, version = re.fullmatch(r"lib(\w+)\.so\.(\d+)", path.name).groups()
        text = subprocess.run(["nm", "-D", "--defined-only", str(path)], capture_output=True, text=True, check=True).stdout
        shown = set(re.findall(rf" T (\w+)@@{re.escape(path.name)}$", text, re.M))
        wanted = names_of(TABLES[name])
        assert shown == wanted, f"{path.name}: lacks {sorted(wanted - shown)}, has besides {sorted(shown - wanted)}"
        seen += 1
    return seen


def check_signatures():
    """A function whose signature differs from NVIDIA's declaration of it does not compile beside it."""
    includes = [pathlib.Path("/usr/local/cuda/include"), *CACHE.glob("nvcc-*/nvidia/cu13/include"), *CACHE.glob("cuda-*/include")]
    eigen = pathlib.Path("/usr/include/eigen3")
    seen = 0
    for part, header in HEADERS.items():
        folder = next((folder for folder in includes if (folder / header).exists()), None)
        if folder is None or not shutil.which("g++"):
            continue
        for path in sorted((ROOT / "cuda/stand_in/libraries" / part).glob("*.cpp")):
            text = path.read_text(encoding="utf-8")
            if "<Eigen/" in text and not eigen.is_dir() or 'extern "C" {' not in text:
                continue
            subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-DWARPLENS_NVIDIA_HEADERS", f"-I{ROOT}", "-isystem", str(folder),
                            "-isystem", str(eigen), str(path)], check=True)
            seen += 1
    return seen


def main():
    for table in TABLES.values():
        assert len(names_of(table)) > 20, table
    folder = pathlib.Path(sys.argv[1]).resolve().parent / "libraries"
    seen = check_exports(folder) if shutil.which("nm") else 0
    seen += check_signatures()
    if not seen:
        print("skipped: there are neither NVIDIA's headers nor built libraries here")
        return SKIPPED
    return 0


sys.exit(main())
