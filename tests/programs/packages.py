"""Python environments with the packages of requirements/NAME.txt, in the user's cache folder."""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
made = {}  # name → the Python of its environment, after its first use


def cache_folder():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"


def environment(name, launcher=()):
    """The Python of the environment; None, and a sentence printed, where there can be none. What is compiled for it
    (--no-binary in its file) is linked with the libraries of the launcher, if there is one. A name may also be the path of
    a .txt."""
    wanted = pathlib.Path(name) if str(name).endswith(".txt") else HERE / "requirements" / f"{name}.txt"
    front = list(launcher) if b"--no-binary" in wanted.read_bytes() else []
    key = hashlib.sha256(wanted.read_bytes() + sys.version.encode() + (b"launcher" if front else b"")).hexdigest()[:12]
    folder = cache_folder() / f"programs-{key}"
    python = folder / "bin" / "python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Several tests may want it at the same time.
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made[name] = python
        if (folder / "ready").exists():
            return python
        try:
            venv.create(folder, with_pip=True, clear=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"skipped: no virtual environment could be made: {error}")
            return None
        pip = [*front, python, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps", "-r", wanted]
        done = subprocess.run(pip, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"skipped: the packages of {wanted} could not be installed:", done.stderr[-300:])
            return None
        (folder / "ready").touch()
    return python


def source_of(name, package):
    """The unpacked source of a package of requirements/NAME.txt, whose tests are not installed; None where there is none."""
    pins = (HERE / "requirements" / f"{name}.txt").read_text(encoding="utf-8").split()
    pin = next(pin for pin in pins if pin.startswith(package + "=="))
    folder = cache_folder() / "sources" / pin.replace("==", "-")
    if not (folder / "ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        python = made.get(name) or environment(name)
        done = subprocess.run([python, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--no-deps",
                               "--no-binary", package, "-d", folder, pin], capture_output=True, text=True)
        archives = list(folder.glob("*.tar.gz"))
        if done.returncode != 0 or not archives:
            print(f"skipped: the source of {pin} could not be had:", done.stderr[-300:])
            return None
        subprocess.run(["tar", "-xzf", archives[0], "-C", folder], check=True)
        (folder / "ready").touch()
    return next(path for path in folder.iterdir() if path.is_dir())


def repository(name, address, tag, commit):
    """The files of a repository at a tag, whose commit has to be this one; None, and a sentence, where they cannot be had."""
    folder = cache_folder() / "sources" / f"{name}-{commit[:12]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "ready").exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        for words in (["init", "-q", folder], ["-C", folder, "fetch", "-q", "--depth", "1", address, f"refs/tags/{tag}"],
                      ["-C", folder, "-c", "advice.detachedHead=false", "checkout", "-q", "FETCH_HEAD"]):
            done = subprocess.run(["git", *words], capture_output=True, text=True)
            if done.returncode != 0:
                print(f"skipped: {tag} of {address} could not be had:", done.stderr[-300:])
                return None
        found = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        if found != commit:
            print(f"skipped: {tag} of {address} is {found}, and not {commit}, whose tests are known")
            return None
        (folder / "ready").touch()
    return folder
