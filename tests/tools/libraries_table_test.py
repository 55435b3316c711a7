"""The libraries for programs (cuda/stand_in/libraries): each shows exactly the functions that NVIDIA's headers declare, with
NVIDIA's symbol version, and the signatures of those that work are those of NVIDIA's headers, where these are on this machine."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
SKIPPED = 77
DECLARED = {"cublas": "cublas_api.h cublas.h cublasXt.h", "curand": "curand.h", "cublasLt": "cublasLt.h", "cufft": "cufft.h cufftXt.h",
            "cusolver": "cusolver_common.h cusolverDn.h cusolverRf.h cusolverSp.h cusolverSp_LOWLEVEL_PREVIEW.h",
            "cusparse": "cusparse.h", "nccl": "nccl.h"}
HEADERS = {"blas": "cublas_api.h", "rand": "curand.h", "fft": "cufftXt.h",
           "sparse": "cusparse.h", "solver": "cusolverDn.h", "blas_lt": "cublasLt.h", "nccl": "nccl.h"}
# NCCL's header comes with no toolkit, and its functions have no symbol version.
TOOLKITS = [pathlib.Path("/usr/local/cuda/include"), *CACHE.glob("nvcc-*/nvidia/cu13/include"), *CACHE.glob("cuda-*/include")]


def declared(folder, library):
    text = "\n".join((folder / header).read_text(encoding="utf-8") for header in DECLARED[library].split())
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    found = re.findall(rf"(\w+)[\s*]+(?:[A-Z]+API\s+)?({library}[A-Z]\w*)\s*\(", text)
    return {name for kind, name in found if kind not in ("return", "typedef", "define")}


def check_exports(folder):
    versions = [line for line in (ROOT / "tools/versions.env").read_text("utf-8").splitlines() if line.startswith("library_headers=")]
    headers = CACHE / f"library-headers-{versions[0].split('=')[1]}" / "include"
    seen = 0
    for path in sorted(folder.glob("*.so.*")) if headers.is_dir() else []:
        name = re.fullmatch(r"lib(\w+)\.so\.\d+", path.name)[1]
        text = subprocess.run(["nm", "-D", "--defined-only", str(path)], capture_output=True, text=True, check=True).stdout
        folder_of_header = headers
        if name == "nccl":
            folder_of_header = next((folder for folder in TOOLKITS if (folder / "nccl.h").exists()), None)
        if folder_of_header is None:
            continue
        version = "" if name == "nccl" else f"@@{re.escape(path.name)}"
        shown = set(re.findall(rf" [TW] (\w+){version}$", text, re.M))
        wanted = declared(folder_of_header, name)
        assert len(wanted) > 20, name
        assert shown == wanted, f"{path.name}: lacks {sorted(wanted - shown)}, has besides {sorted(shown - wanted)}"
        seen += 1
    return seen


def check_signatures():
    """A function whose signature differs from NVIDIA's declaration of it does not compile beside it."""
    eigen = pathlib.Path("/usr/include/eigen3")
    seen = 0
    for part, header in HEADERS.items():
        folder = next((folder for folder in TOOLKITS if (folder / header).exists()), None)
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
    folder = pathlib.Path(sys.argv[1]).resolve().parent / "libraries"
    seen = check_exports(folder) if shutil.which("nm") else 0
    seen += check_signatures()
    if not seen:
        print("skipped: there are neither NVIDIA's headers nor built libraries here")
        return SKIPPED
    return 0


sys.exit(main())
