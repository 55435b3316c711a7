"""Tries the wheel and the archive in the oldest system that they are for, a fresh Ubuntu 22.04, as a user without rights.
By hand, as root, on a machine with Ubuntu's keys (the package ubuntu-keyring):

  tests/package/oldest.py dist http://archive.ubuntu.com/ubuntu
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import deb
from places import OWN, PROGRAM, Root, debian, failures, megabytes, newest

# Python, a display, what compiles people's programs, and what grading needs.
NEEDS = ("python3-venv", "xvfb", "xauth", "libgl1", "libgl1-mesa-dri", "libglx-mesa0", "g++", "bubblewrap",
         "clang", "libclc-14")
PYTHON = "3.10"


def brought(root, files):
    for name, text in {**deb.FILES, "own.cu": OWN, "program.cu": PROGRAM}.items():
        (root.home / name).write_text(text, encoding="utf-8")
    deb.hand_ins(root.home)
    root.bring(*files)


def forget(root, *names):
    for name in ("class", "table.csv", "window.png", "own.cu", "program.cu", ".cache/warplens", ".config/warplens", *names):
        path = root.home / name
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def left(root, before):
    more = sorted(path for path in deb.files_of(root) - before if not path.startswith(("home/student/.cache", "home/student/.config")))
    deb.said(root, not more, "nothing is left", more[:5])


def check_archive(root, archive):
    before = deb.files_of(root)
    root.place.name = "archive, Ubuntu 22.04"
    print(f"{archive.name}: {megabytes(archive):.1f} MB")
    brought(root, [archive])
    root.place.run("tar -xzf", "tar", "-C", "/home/student", "-xzf", f"/home/student/{archive.name}")
    folder = archive.name.removesuffix(".tar.gz")
    deb.use(root, None, "1280x720", f"/home/student/{folder}/warplens")
    forget(root, folder, archive.name)
    left(root, before)


def check_wheel(root, wheel, folder):
    wheels = folder / "wheels"
    platforms = [word for glibc in (35, 34, 28, 27, 17) for word in ("--platform", f"manylinux_2_{glibc}_x86_64")]
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "--python-version", PYTHON, *platforms,
                    "--platform", "manylinux2014_x86_64", "-d", wheels, wheel], check=True)
    before = deb.files_of(root)
    root.place.name = "wheel, Ubuntu 22.04"
    print(f"{wheel.name}: {megabytes(wheel):.1f} MB")
    brought(root, wheels.iterdir())
    root.place.run("a virtual environment", "python3", "-m", "venv", "/home/student/venv")
    root.place.run("pip install", "/home/student/venv/bin/python", "-m", "pip", "install", "-q", "--no-index", "--no-cache-dir",
                   "--find-links", "/home/student", f"/home/student/{wheel.name}")
    deb.use(root, None, "1280x720", "/home/student/venv/bin/warplens")
    root.place.run("the module", "/home/student/venv/bin/python", "-c", "import warplens; print(warplens.run('vector_add').outputs)",
                   says="float32")
    root.place.run("pip uninstall", "/home/student/venv/bin/python", "-m", "pip", "uninstall", "-q", "-y", "warplens")
    rest = list((root.home / "venv").rglob("*warplens*"))
    deb.said(root, not rest, "nothing is left in the environment", rest[:5])
    forget(root, "venv", *(path.name for path in wheels.iterdir()))
    left(root, before)


def main():
    dist, mirror = pathlib.Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="warplens-oldest-") as folder:
        folder = pathlib.Path(folder)
        sources = [f"deb [signed-by={deb.UBUNTU}] {mirror} jammy main universe"]
        debian(folder / "root", *NEEDS, suite="jammy", mirror=sources)
        root = Root(folder / "root", "")
        check_archive(root, newest(dist, "warplens-*.tar.gz"))
        check_wheel(root, newest(dist, "warplens-*.whl"), folder)
    print(*(f"failed: {failure}" for failure in failures), sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
