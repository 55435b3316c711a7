"""Tries what tools/package built where nothing of ours is: check.py DIST, called by tools/package --check.

  wheel    in a fresh virtual environment
  archive  in a fresh Debian 12 without a desktop (mmdebstrap; needs root), as a user without rights

Each runs a built-in kernel, a kernel of one's own, and the window under Xvfb, whose picture is kept in DIST/check; then
each is removed, and nothing may be left of it. Prints sizes and times.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ("// warplens: out=float32[n] zero, n=100, grid=1, block=128\n"
       "__global__ void own(float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x; }\n")
SIZE = "1280x720"
failures = []


def megabytes(path):
    if path.is_file():
        return path.stat().st_size / 1e6
    return sum(file.lstat().st_size for file in path.rglob("*") if not file.is_dir()) / 1e6


class Place:
    """Where commands run, and how."""

    def __init__(self, name, prefix, environment):
        self.name, self.prefix, self.environment = name, prefix, environment

    def run(self, what, *command, expect=0, says="", limit=600):
        started = time.monotonic()
        try:
            done = subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=limit,
                                  env=self.environment, check=False)
            status, said = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            status, said = "no", f"nothing within {limit} s"
        right = status == expect and says in said
        print(f"  {'ok  ' if right else 'FAIL'} {what:<44}{time.monotonic() - started:8.2f} s", flush=True)
        if not right:
            failures.append(f"{self.name}: {what}")
            print(f"       status {status}, wanted {expect} and {says!r}:\n{said[-2000:]}")
        return said


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


def left_over(home):
    """What installing, running and removing left in the user's home."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir())


def check_removed(place, home, allowed):
    left = [path for path in left_over(home) if not path.startswith(allowed)]
    print(f"  {'FAIL' if left else 'ok  '} nothing is left")
    if left:
        failures.append(f"{place.name}: left over: {left[:5]}")


def check_wheel(dist, pictures):
    (wheel,) = sorted(dist.glob("warplens-*.whl"))[-1:]
    print(f"{wheel.name}: {megabytes(wheel):.1f} MB")
    with tempfile.TemporaryDirectory(prefix="warplens-check-") as folder:
        home = pathlib.Path(folder, "home")
        home.mkdir()
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("WARPLENS_", "CUDA_")) and name != "DISPLAY"}
        environment.update(HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"), LIBGL_ALWAYS_SOFTWARE="1",
                           PYTHONNOUSERSITE="1")
        place = Place("wheel", [], environment)
        venv = pathlib.Path(folder, "venv")
        python, warplens = venv / "bin/python", [venv / "bin/warplens"]
        place.run("a virtual environment", sys.executable, "-m", "venv", venv)
        place.run("pip install", python, "-m", "pip", "install", "--no-cache-dir", "-q", wheel)
        print(f"       installed: {megabytes(venv):.0f} MB, of it warplens {installed(venv):.0f} MB")
        no_file_of_nvidia(venv)
        own = pathlib.Path(folder, "own.cu")
        own.write_text(OWN)
        try_program(place, warplens, own, pictures / "wheel.png", compiler=True)
        place.run("python -m warplens", python, "-m", "warplens", "kernels", says="grayscale")
        place.run("the module", python, "-c", "import warplens; print(warplens.run('vector_add').outputs)", says="float32")
        place.run("pip install nbclient", python, "-m", "pip", "install", "--no-cache-dir", "-q", "nbclient", "ipykernel")
        place.run("the notebook", python, ROOT / "tests/package/notebook.py", ROOT / "docs/notebooks/kernels.ipynb",
                  pictures, says="3 pictures")
        place.run("pip uninstall", python, "-m", "pip", "uninstall", "-q", "-y", "warplens")
        rest = [path for path in venv.rglob("*warplens*")]
        print(f"  {'FAIL' if rest else 'ok  '} nothing of it is left in the environment")
        failures.extend(f"wheel: left over: {path}" for path in rest[:5])
        check_removed(place, home, (".cache/fontconfig", ".cache/mesa_shader_cache", ".cache/pip", ".rustup", ".config/warplens", ".ipython", ".local/share/jupyter",
                                    ".local/state/warplens"))


def installed(venv):
    return sum(megabytes(path) for path in venv.glob("lib/python*/site-packages/warplens*"))


def no_file_of_nvidia(venv):
    """NVIDIA's files come as NVIDIA's packages; ours holds none."""
    own = [path for folder in venv.glob("lib/python*/site-packages/warplens*") for path in folder.rglob("*")]
    names = [path.name for path in own if path.name.startswith(("libnv", "libcu", "ptxas", "nvcc", "libcudart"))
             and path.name != "libcuda.so.1"]
    failures.extend(f"wheel: holds {name}" for name in names)


DISPLAY = ("xvfb", "xauth", "libgl1", "libgl1-mesa-dri", "libglx-mesa0")


def debian(folder, *packages):
    """A fresh Debian 12."""
    sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
    mirror = [sources] if sources.exists() and "bookworm" in sources.read_text(encoding="utf-8") else []
    subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", f"--include={','.join(('tar', *packages))}",
                    "--customize-hook=useradd --root \"$1\" -m student", "bookworm", folder, *mirror], check=True)


class Root:
    """A root folder to run in, as a user without rights; /proc and /dev are there meanwhile."""

    def __init__(self, folder, name):
        self.folder, self.home = folder, folder / "home/student"
        self.before = set(left_over(self.home))
        self.place = Place(name, ["chroot", "--userspec=student", "--groups=", str(folder), "env", "-i",
                                  "HOME=/home/student", "PATH=/usr/bin:/bin", "LIBGL_ALWAYS_SOFTWARE=1"], None)

    def __enter__(self):
        for name in ("proc", "dev"):
            subprocess.run(["mount", "--rbind", f"/{name}", self.folder / name], check=True)
        return self

    def __exit__(self, *_):
        for name in ("proc", "dev"):
            subprocess.run(["umount", "-R", "-l", self.folder / name], check=False)

    def bring(self, *files):
        for file in files:
            shutil.copy(file, self.home)
        subprocess.run(["chroot", self.folder, "chown", "-R", "student:", "/home/student"], check=True)


def unpack(root, archive):
    root.place.run("tar -xzf, as a user without rights", "tar", "-C", "/home/student", "-xzf",
                   f"/home/student/{archive.name}")
    unpacked = root.home / archive.name.removesuffix(".tar.gz")
    print(f"       unpacked: {megabytes(unpacked):.0f} MB")
    return unpacked


def check_archive(dist, pictures):
    (archive,) = sorted(dist.glob("warplens-*.tar.gz"))[-1:]
    print(f"{archive.name}: {megabytes(archive):.1f} MB")
    if shutil.which("mmdebstrap") is None or os.geteuid() != 0:
        print("  skipped: a fresh Debian needs mmdebstrap and root")
        return
    with tempfile.TemporaryDirectory(prefix="warplens-check-") as folder:
        own = pathlib.Path(folder, "own.cu")
        own.write_text(OWN)
        bare, desktop = pathlib.Path(folder, "bare"), pathlib.Path(folder, "desktop")
        debian(bare)
        with Root(bare, "archive, bare Debian") as root:
            root.bring(archive)
            start = f"/home/student/{unpack(root, archive).name}/warplens"
            root.place.run("without a desktop's libraries", start, "run", "grayscale", "--check", says="gray is right")
        debian(desktop, *DISPLAY)
        with Root(desktop, "archive") as root:
            root.bring(archive, own)
            unpacked = unpack(root, archive)
            # From another folder than it was unpacked to, and through a link.
            moved = root.home / "a folder"
            unpacked.rename(moved)
            (root.home / "link").symlink_to("a folder/warplens")
            try_program(root.place, ["/home/student/link"], "/home/student/own.cu", "/home/student/window.png",
                        compiler=False)
            if (root.home / "window.png").exists():
                shutil.move(root.home / "window.png", pictures / "archive.png")
            shutil.rmtree(moved)
            for file in (archive.name, "own.cu", "link", *root.before):
                (root.home / file).unlink(missing_ok=True)
            check_removed(root.place, root.home, (".cache/fontconfig", ".cache/mesa_shader_cache"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", type=pathlib.Path)
    parser.add_argument("only", nargs="?", choices=("wheel", "archive"))
    arguments = parser.parse_args()
    pictures = arguments.dist / "check"
    pictures.mkdir(exist_ok=True)
    if arguments.only != "archive":
        check_wheel(arguments.dist, pictures)
    if arguments.only != "wheel":
        check_archive(arguments.dist, pictures)
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
