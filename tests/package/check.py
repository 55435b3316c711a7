"""Tries what tools/package built where nothing of ours is: check.py DIST, called by tools/package --check.

  wheel    in a fresh virtual environment
  archive  in a fresh Debian 12 without a desktop (needs root, and mmdebstrap, which tools/setup package installs), as a user
           without rights; and in one with Debian's clang and no file of NVIDIA's, where CUDA C++ is compiled
  deb      in the latter (deb.py)
  conda    in a fresh prefix; and the folder of an AppImage, where it lies

Each runs a built-in kernel, a kernel of one's own, a Numba script, and the window under Xvfb, whose picture is kept in
DIST/check, all without a network and below a path with blanks and umlauts; then each is removed, and nothing may be left
of it. Neither may hold a file of NVIDIA's. Prints sizes and times.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "programs"))
import deb
import packages
from places import OWN, PROGRAM, Place, Root, debian, failures, left_over, megabytes, newest, offline

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKEFILE = "add: add.o\n\tnvcc -o $@ $^\n%.o: %.cu\n\tnvcc -O3 -arch=sm_35 -c -o $@ $<\nrun: add\n\t./add\n"
# A script that compares itself with NumPy: 391 blocks of 256 threads.
SCRIPT = ROOT / "tests/programs/course/vector_add.py"
(NUMBA,) = [f"numba-cuda[cu12]=={line.split('==')[1]}"
            for line in (ROOT / "tests/programs/requirements/numba-cuda.txt").read_text(encoding="utf-8").split()
            if line.startswith("numba-cuda==")]
# One that needs a GPU.
TESTS = """
import numpy as np
from numba import cuda

@cuda.jit
def add_one(a):
    a[cuda.grid(1)] += 1

def test_it():
    a = cuda.to_device(np.zeros(32))
    add_one[1, 32](a)
    assert a.copy_to_host().sum() == 32
"""
SIZE = "1280x720"
AWKWARD = "a földer of mine"

def try_program(place, warplens, own, picture, compiler):
    place.run("--version", *warplens, "--version", says="warplens ")
    place.run("doctor", *warplens, "doctor", says="found   program")
    place.run("grayscale, checked", *warplens, "run", "grayscale", "--check", says="gray is right")
    place.run("Lucas numbers, first start again", *warplens, "run", "lucas", "--json", os.devnull)
    if compiler:
        place.run("a kernel of one's own", *warplens, "run", own, says="It ran to its end")
    else:
        place.run("without a compiler it says so", *warplens, "run", own, expect=3, says="built-in kernels")
    place.run("the window, without a display", *warplens, expect=3, says="no display")
    place.run("the window as a picture", "xvfb-run", "-a", "-s", "-screen 0 1920x1080x24", *warplens, "render", "window",
              "--size", SIZE, "--out", picture)


def check_removed(place, home, allowed):
    """After the folders that docs/packages.md names are removed, as it says."""
    for own in (".cache/warplens", ".config/warplens"):
        shutil.rmtree(home / own, ignore_errors=True)
    left = [path for path in left_over(home) if not path.startswith(allowed)]
    print(f"  {'FAIL' if left else 'ok  '} nothing is left")
    if left:
        failures.append(f"{place.name}: left over: {left[:5]}")


def download_numba(folder):
    """What a student installs for Numba, for both checks."""
    started = time.monotonic()
    wheels = folder / "wheels"
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-cache-dir", "--only-binary=:all:", "-d", wheels,
                    NUMBA], check=True)
    print(f"{NUMBA}: {megabytes(wheels):.0f} MB of wheels, downloaded in {time.monotonic() - started:.0f} s")
    return wheels


def check_wheel(dist, pictures, wheels, folder):
    wheel = newest(dist, "warplens-*.whl")
    print(f"{wheel.name}: {megabytes(wheel):.1f} MB")
    folder = folder / AWKWARD
    home, venv = folder / "home", folder / "venv"
    home.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("WARPLENS_", "CUDA_")) and name not in ("DISPLAY", "VIRTUAL_ENV")}
    environment.update(HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"), LIBGL_ALWAYS_SOFTWARE="1",
                       PYTHONNOUSERSITE="1")
    online, place = Place("wheel", [], environment), Place("wheel", offline(), environment)
    python, warplens = venv / "bin/python", [venv / "bin/warplens"]
    install = [python, "-m", "pip", "install", "--no-cache-dir", "-q"]
    online.run("a virtual environment", sys.executable, "-m", "venv", venv)
    online.run("pip install", *install, wheel)
    print(f"       installed: {megabytes(venv):.0f} MB, of it warplens {installed(venv):.0f} MB")
    trees = list(venv.glob("lib/python*/site-packages/warplens*"))
    no_file_of_nvidia("wheel", trees, venv)
    not_on_the_loaders_path("wheel", trees)
    no_symbol_too_new("wheel", trees)
    own = folder / "own.cu"
    own.write_text(OWN)
    try_program(place, warplens, own, pictures / "wheel.png", compiler=True)
    place.run("a Numba script, without Numba", *warplens, "run", SCRIPT, expect=1, says="No module named 'numba'")
    online.run("pip install numba-cuda[cu12]", *install, "--no-index", "--find-links", wheels, NUMBA)
    # Not activated: the script runs in the environment of the command.
    place.run("a Numba script", *warplens, "run", SCRIPT, says="391 blocks of 256")
    # The driver for virtual GPUs replaces NVIDIA's: the files that a real one needs must be there too.
    (driver,) = venv.glob("lib/python*/site-packages/warplens/_program/lib/warplens/driver/libcuda.so.1")
    place.run("a Numba script as on a real GPU", "env", f"WARPLENS_CUDA_DRIVER={driver}", *warplens, "program",
              "--device", "cuda:0", "--ptx", "--", python, SCRIPT, says="391 blocks of 256")
    online.run("pip install pytest", *install, "pytest")
    tests = folder / "test_wheel.py"
    tests.write_text(TESTS)
    place.run("pytest, without the plug-in's option", python, "-m", "pytest", "-q", tests, expect=1, says="1 failed")
    place.run("pytest --warplens", python, "-m", "pytest", "-q", "--warplens", tests, says="1 test used it: 1 launch")
    place.run("python -m warplens", python, "-m", "warplens", "kernels", says="grayscale")
    place.run("the module", python, "-c", "import warplens; print(warplens.run('vector_add').outputs)", says="float32")
    online.run("pip install nbclient", *install, "nbclient", "ipykernel")
    online.run("the notebook", python, ROOT / "tests/package/notebook.py", ROOT / "docs/notebooks/kernels.ipynb",
               pictures, says="3 pictures")
    online.run("pip uninstall", python, "-m", "pip", "uninstall", "-q", "-y", "warplens")
    rest = [path for path in venv.rglob("*warplens*")]
    print(f"  {'FAIL' if rest else 'ok  '} nothing of it is left in the environment")
    failures.extend(f"wheel: left over: {path}" for path in rest[:5])
    check_removed(place, home, (".cache/fontconfig", ".cache/mesa_shader_cache", ".cache/pip", ".rustup", ".ipython",
                                ".local/share/jupyter"))
    return venv


def installed(venv):
    return sum(megabytes(path) for path in venv.glob("lib/python*/site-packages/warplens*"))


def files_of(trees):
    return [path for tree in trees for path in (tree.rglob("*") if tree.is_dir() else [tree])
            if path.is_file() and not path.is_symlink()]


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def stem(path):
    """libnvrtc for libnvrtc.so.12 and for auditwheel's libnvrtc-1a2b3c4d.so.12."""
    return re.sub(r"(-[0-9a-f]{8})?\.so(\..*)?$", "", path.name)


def said(right, name, what, bad):
    print(f"  {'ok  ' if right else 'FAIL'} {what}")
    failures.extend(f"{name}: {what}: {path}" for path in bad[:5])


# Libraries of ours under NVIDIA's names, and a word that only ours hold.
OURS = {"libcuda": b"WARPLENS_PROGRAM_DEVICE", "libcudart": b"warplens_register_linked_binary",
        "libnvJitLink": b"warplens_",
        **dict.fromkeys(("libcublas", "libcublasLt", "libcufft", "libcurand", "libcusolver", "libcusparse", "libnccl"), b"warplens_tell")}


def no_file_of_nvidia(name, trees, venv):
    """NVIDIA's files come as NVIDIA's packages; ours holds none, by content or by name, but those under OURS."""
    theirs = files_of(venv.glob("lib/python*/site-packages/nvidia"))
    assert len(theirs) > 100, "NVIDIA's packages are not there, so there is nothing to compare with"
    digests = {hashlib.sha256(path.read_bytes()).digest() for path in theirs if path.stat().st_size > 0}
    stems = {stem(path) for path in theirs if is_elf(path)} | {"libcuda"}
    bad = []
    for path in files_of(trees):
        content = path.read_bytes()
        if hashlib.sha256(content).digest() in digests:
            bad.append(path)
        elif is_elf(path) and (stem(path) in stems or stem(path).startswith(("libnv", "libcu"))):
            if OURS.get(stem(path), b"\0" * 99) not in content:
                bad.append(path)
    said(not bad, name, "no file of NVIDIA's", bad)


def searched_folders(elf):
    """The folders in which the loader looks for what a program or library needs."""
    listed = subprocess.run(["readelf", "-d", elf], capture_output=True, text=True, check=True).stdout
    for folders in re.findall(r"R(?:UN)?PATH\)\s+Library r(?:un)?path: \[(.*)\]", listed):
        for folder in folders.split(":"):
            yield pathlib.Path(re.sub(r"\$ORIGIN|\$\{ORIGIN\}", str(elf.parent), folder)).resolve()


def not_on_the_loaders_path(name, trees):
    """Our two libcuda.so.1, the driver and what stands in front of NVIDIA's, the two runtime libraries, and those beside them
    (libcublas, libcurand and others) lie in folders of their own, and nothing of ours is searched for there: the program
    looks for NVIDIA's driver under the same name."""
    ours = sorted(path for path in files_of(trees) if path.name.startswith(("libcu", "libnccl")))
    places = ["/".join(path.parts[-2:]) for path in ours]
    wanted = ["driver/libcuda.so.1", "relay/libcuda.so.1", "runtime/libcudart.so.12", "runtime/libcudart.so.13"]
    wanted += [f"libraries/lib{name}" for name in (
        "cublas.so.12", "cublas.so.13", "cublasLt.so.12", "cublasLt.so.13", "cufft.so.11", "cufft.so.12", "curand.so.10",
        "cusolver.so.11", "cusolver.so.12", "cusparse.so.12", "nccl.so.2")]
    bad = [] if sorted(places) == sorted(wanted) else [places]
    folders = {path.parent.resolve() for path in ours}
    for path in files_of(trees):
        if is_elf(path):
            bad += [f"{path} is searched for in {folder}" for folder in searched_folders(path) if folder in folders]
    said(not bad, name, "libcuda and libcudart are where no loader looks", bad)


GLIBC = re.search(r"^glibc=([0-9.]+)$", (ROOT / "tools/versions.env").read_text(encoding="utf-8"), re.MULTILINE)[1]
# libstdc++ is the system's: that of GCC 12, which Ubuntu 22.04 and Debian 12 have.
NEWEST = {"GLIBC": GLIBC, "GLIBCXX": "3.4.30", "CXXABI": "1.3.13"}


def numbers(version):
    return [int(number) for number in version.split(".")]


def no_symbol_too_new(name, trees):
    """No file needs a newer C or C++ library than the oldest system for which packages are."""
    bad, seen = [], set()
    for path in files_of(trees):
        if not is_elf(path):
            continue
        listed = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=False).stdout
        for library, version, symbol in re.findall(r"\*UND\*.*\((GLIBC|GLIBCXX|CXXABI)_([0-9.]+)\) +(\S+)", listed):
            seen.add(library)
            if numbers(version) > numbers(NEWEST[library]):
                bad.append(f"{path.name} needs {symbol} of {library}_{version}")
    assert "GLIBC" in seen, "objdump lists no symbol"
    said(not bad, name, f"no symbol newer than those of glibc {GLIBC}", bad)


# What docs/clang.md tells people to install, and make.
COMPILER = ("clang", "libclc-14", "libstdc++-12-dev", "make")
DESKTOP = ("xvfb", "xauth", "libgl1", "libgl1-mesa-dri", "libglx-mesa0", "python3", "python3-venv")


def unpack(root, archive):
    root.place.run("tar -xzf, as a user without rights", "tar", "-C", "/home/student", "-xzf",
                   f"/home/student/{archive.name}")
    unpacked = root.home / archive.name.removesuffix(".tar.gz")
    print(f"       unpacked: {megabytes(unpacked):.0f} MB")
    return unpacked


def check_archive(dist, pictures, wheels, venv, folder):
    archive = newest(dist, "warplens-*.tar.gz")
    print(f"{archive.name}: {megabytes(archive):.1f} MB")
    if os.geteuid() != 0:
        print("  skipped: a fresh Debian needs root")
        return
    own = folder / "own.cu"
    own.write_text(OWN)
    bare, desktop = folder / "bare", folder / "desktop"
    debian(bare)
    root = Root(bare, "archive, bare Debian")
    root.bring(archive)
    start = f"/home/student/{unpack(root, archive).name}/warplens"
    root.place.run("without a desktop's libraries", start, "run", "grayscale", "--check", says="gray is right")
    debian(desktop, *DESKTOP)
    root = Root(desktop, "archive")
    root.bring(archive, own, SCRIPT, *wheels.iterdir())
    unpacked = unpack(root, archive)
    no_file_of_nvidia("archive", [unpacked], venv)
    not_on_the_loaders_path("archive", [unpacked])
    no_symbol_too_new("archive", [unpacked])
    # From another folder than it was unpacked to, and through a link.
    moved = root.home / AWKWARD
    unpacked.rename(moved)
    (root.home / "link").symlink_to(f"{AWKWARD}/warplens")
    try_program(root.place, ["/home/student/link"], "/home/student/own.cu", "/home/student/window.png",
                compiler=False)
    if (root.home / "window.png").exists():
        shutil.move(root.home / "window.png", pictures / "archive.png")
    root.place.run("a virtual environment", "python3", "-m", "venv", "/home/student/course")
    root.place.run("pip install numba-cuda[cu12]", "/home/student/course/bin/python", "-m", "pip", "install", "-q",
                   "--no-cache-dir", "--no-index", "--find-links", "/home/student", NUMBA)
    root.place.run("a Numba script", "env", "PATH=/home/student/course/bin:/usr/bin:/bin", "/home/student/link", "run",
                   f"/home/student/{SCRIPT.name}", says="391 blocks of 256")
    driver = f"/home/student/{AWKWARD}/lib/warplens/driver/libcuda.so.1"
    root.place.run("a Numba script as on a real GPU", "env", "PATH=/home/student/course/bin:/usr/bin:/bin",
                   f"WARPLENS_CUDA_DRIVER={driver}", "/home/student/link", "program", "--device", "cuda:0", "--ptx", "--",
                   "python", f"/home/student/{SCRIPT.name}", says="391 blocks of 256")
    shutil.rmtree(moved)
    shutil.rmtree(root.home / "course")
    for file in (archive.name, "own.cu", SCRIPT.name, "link", *(path.name for path in wheels.iterdir()), *root.before):
        (root.home / file).unlink(missing_ok=True)
    check_removed(root.place, root.home, (".cache/fontconfig", ".cache/mesa_shader_cache"))


# Into a fresh prefix, from a channel that is a folder, without a network.
INSTALL = """import asyncio, pathlib, sys, rattler
async def install(channel, prefix):
    found = await rattler.solve([channel], ["warplens"], platforms=["linux-64", "noarch"], virtual_packages=rattler.VirtualPackage.detect())
    await rattler.install(found, prefix)
asyncio.run(install(pathlib.Path(sys.argv[1]).absolute().as_uri(), sys.argv[2]))
"""


def check_portable(dist, folder):
    """The package for conda, installed, and the folder of an AppImage."""
    package, staging = newest(dist, "warplens-*.conda"), ROOT / "build/package"
    print(f"{package.name}: {megabytes(package):.1f} MB")
    packing = packages.environment(str(ROOT / "tools/requirements/package.txt"))
    home, own = folder / "home", folder / "own.cu"
    home.mkdir(parents=True)
    own.write_text(OWN)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LIBGL_ALWAYS_SOFTWARE": "1"}
    place = Place("conda", offline(), environment)
    place.run("installed from a channel", packing, "-c", INSTALL, staging / "conda/channel", folder / "prefix")
    bare = Place("conda", offline(), {**environment, "PATH": f"{folder}/prefix/bin:/usr/bin:/bin"})
    try_program(bare, ["warplens"], own, folder / "conda.png", compiler=compiles(bare))
    place.name = "AppDir"
    try_program(place, [staging / "AppDir/AppRun"], own, folder / "appdir.png", compiler=compiles(bare))


def compiles(place):
    """Whether this machine has a compiler of CUDA C++ that packages without one find."""
    return shutil.which("clang", path=place.environment["PATH"]) is not None


def check_clang(dist, pictures, venv, folder):
    """Kernels, a program and a Makefile, where Debian's clang is the only compiler of CUDA C++. Then the same by the package."""
    archive = newest(dist, "warplens-*.tar.gz")
    if os.geteuid() != 0:
        return
    sources = {"own.cu": OWN, "add.cu": PROGRAM, "Makefile": MAKEFILE}
    for name, text in sources.items():
        (folder / name).write_text(text)
    bare, package = folder / "clang", newest(dist, "warplens_*.deb")
    debian(bare, *COMPILER, *deb.NEEDS, *deb.needed(package))
    print(f"Debian with {', '.join(COMPILER)}: {megabytes(bare):.0f} MB")
    no_file_of_nvidia("clang", [path for path in bare.iterdir() if path.name not in ("proc", "sys", "dev")], venv)
    root = Root(bare, "archive, clang")
    root.bring(archive, *(folder / name for name in sources))
    start = f"/home/student/{unpack(root, archive).name}/warplens"
    in_home = ["env", "--chdir=/home/student", start]
    root.place.run("a kernel of one's own", *in_home, "run", "own.cu", says="It ran to its end")
    root.place.run("a program with a main", *in_home, "run", "add.cu", says="no error, sum[999] = 999")
    root.place.run("a Makefile that calls nvcc", *in_home, "program", "--", "make", "run", says="no error, sum[999] = 999")
    root.place.run("its profile", *in_home, "profile", "add.cu", says="Launch Statistics")
    shutil.rmtree(root.home / archive.name.removesuffix(".tar.gz"))
    deb.check(root, package, pictures, SIZE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", type=pathlib.Path)
    arguments = parser.parse_args()
    # The folder is also removed if the check is ended early.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    pictures = arguments.dist / "check"
    pictures.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warplens-check-") as folder:
        folder = pathlib.Path(folder)
        wheels = download_numba(folder)
        venv = check_wheel(arguments.dist, pictures, wheels, folder)
        check_archive(arguments.dist, pictures, wheels, venv, folder)
        check_clang(arguments.dist, pictures, venv, folder)
        check_portable(arguments.dist, folder / "portable")
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
