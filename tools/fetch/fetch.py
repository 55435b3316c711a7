"""Brings what is not part of the program into a cache folder: NVIDIA's compiler, assembler and headers, photographs.

    fetch.py PART --version V [--requirements FILE] --cache FOLDER

parts.json says what there is. pip downloads the pinned files of the requirements and checks their hashes. Each folder is
made elsewhere and moved into place, so that it is whole or absent. Files that were downloaded stay until all are there. tools/setup calls this, and so does `warplens fetch`,
in which it is embedded; so it needs Python 3 with pip and nothing else. With --progress it prints a line "N of M" of
megabytes whenever N changes. It prints nothing else to standard output; what it does and what went wrong are told on standard error.
"""
import argparse
import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

# The same wheel on every machine, independent of its own Python.
WHEELS = ["--only-binary=:all:", "--implementation", "cp", "--python-version", "3.11"]
WHEELS += [word for abi in ("cp311", "abi3", "none") for word in ("--abi", abi)]
WHEELS += [word for tag in ("2_28", "2_27", "2_24", "2_17", "2014", "2_12", "2010")
           for word in ("--platform", f"manylinux{'' if tag.startswith('20') else '_'}{tag}_x86_64")]


class Failed(Exception):
    pass


def bytes_below(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size if not path.is_dir() else 0
        except OSError:  # pip moves its files at the same time
            pass
    return total


def run_pip(command, megabytes, log):
    """Reports what megabytes() says while pip runs, and returns pip's exit status."""
    with open(log, "wb") as said:
        pip = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                               env={**os.environ, "TMPDIR": str(log.parent / "tmp")})
        try:
            while pip.poll() is None:
                time.sleep(0.2)
                megabytes()
        finally:
            if pip.poll() is None:
                pip.terminate()
                pip.wait()
    return pip.returncode


def reason_of(log):
    said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if any("No module named pip" in line for line in said):
        return "Python has no pip here: install it (on Debian and Ubuntu: python3-pip) and try again"
    errors = [line for line in said if "ERROR" in line] or said
    return f"it could not be downloaded; try again once this machine is online. (pip: {errors[-1] if errors else 'said nothing'})"


def download(requirements, into, work, expected, progress):
    """The wheels of a list. One at a time, and into a folder that stays: after a failure, those that are there are not fetched again."""
    temporary, log, one = work / "tmp", work / "pip.log", work / "one.txt"
    into.mkdir(exist_ok=True)
    temporary.mkdir()
    shown = -1

    def megabytes():
        nonlocal shown
        here = min((bytes_below(temporary) + bytes_below(into)) // 10**6, expected) if progress else -1
        if here != shown:
            shown = here
            print(f"{here} of {expected}", flush=True)

    for line in requirements.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if not line.split("#")[0].strip():
            continue
        one.write_text(line + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps", "--no-cache-dir",
                   "--require-hashes", "-r", str(one), "-d", str(into), *WHEELS]
        if run_pip(command, megabytes, log) != 0:
            raise Failed(f"{line.split('=')[0].strip()}: {reason_of(log)}")
    return sorted(into.glob("*.whl"))


class Remote(io.RawIOBase):
    """A file of a web server, of which only those parts are fetched that are read."""

    def __init__(self, url):
        self.url, self.at = url, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=60) as answer:
            self.size = int(answer.headers["Content-Length"])

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=io.SEEK_SET):
        self.at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence])
        return self.at

    def tell(self):
        return self.at

    def readinto(self, buffer):
        count = min(len(buffer), self.size - self.at)
        if count <= 0:
            return 0
        asked = urllib.request.Request(self.url, headers={"Range": f"bytes={self.at}-{self.at + count - 1}"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            if answer.status != 206:
                raise Failed(f"{self.url}: the server gives whole files only")
            got = answer.read()
        buffer[:len(got)] = got
        self.at += len(got)
        return len(got)


def fetch_headers(wheel, into, opened=Remote):
    """The headers and the licence alone out of a wheel of hundreds of megabytes. Their hash is in parts.json."""
    try:
        with zipfile.ZipFile(io.BufferedReader(opened(wheel["url"]), 1 << 18)) as archive:
            names = sorted(name for name in archive.namelist()
                           if re.search(r"/include/.*[^/]$|\.dist-info/.*licen[cs]e[^/]*$", name, re.I))
            hashed = hashlib.sha256()
            for name in names:
                text = archive.read(name)
                hashed.update(name.encode() + b"\0" + hashlib.sha256(text).digest())
                archive.extract(name, into)
    except OSError as error:
        raise Failed(f"{wheel['url']} could not be fetched; try again once this machine is online. ({error})") from error
    if hashed.hexdigest() != wheel["sha256"]:
        raise Failed(f"{wheel['url']}: what is there is not what was expected (SHA-256 of its headers: {hashed.hexdigest()})")


def unpack(wheels, into):
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(into)


def copy_licences(unpacked, into, wheels="*"):
    into.mkdir(parents=True, exist_ok=True)
    for folder in unpacked.glob(f"{wheels}.dist-info"):
        for file in folder.rglob("*"):
            if file.is_file() and "license" in file.name.lower():
                shutil.copy(file, into / f"{folder.name.removesuffix('.dist-info')}.txt")


def place(made, final):
    """Into place, unless somebody else was quicker."""
    final.parent.mkdir(parents=True, exist_ok=True)
    if final.is_dir():
        return
    try:
        made.rename(final)
    except OSError:
        if not final.is_dir():
            raise


def place_assembler(ptxas, unpacked, work, final):
    made = work / "assembler"
    (made / "bin").mkdir(parents=True)
    shutil.move(ptxas, made / "bin/ptxas")
    (made / "bin/ptxas").chmod(0o755)
    copy_licences(unpacked, made / "licences", "nvidia_cuda_nvcc*")
    place(made, final)


# libNVVM and libdevice, with which Numba compiles: for programs that run on the virtual GPU.
def place_nvvm(nvvm, unpacked, work, final):
    made = work / "nvvm"
    made.mkdir()
    for folder in ("lib64", "libdevice"):
        shutil.move(nvvm / folder, made / folder)
    copy_licences(unpacked, made / "licences", "nvidia_cuda_nvcc*")
    place(made, final)


# The wheel with headers has the assembler for devices older than sm_75 as well, and Numba's compiler.
def make_cuda(unpacked, work, cache, version):
    nvidia, made = unpacked / "nvidia", work / "made"
    (made / "lib").mkdir(parents=True)
    libraries = nvidia / "cuda_nvrtc/lib"
    for library in (libraries / "libnvrtc.so.12", *libraries.glob("libnvrtc-builtins.so.12.*")):
        shutil.move(library, made / "lib" / library.name)
    for part in ("cuda_runtime", "cuda_cccl", "cuda_nvcc", "curand", "cuda_nvrtc"):
        shutil.copytree(nvidia / part / "include", made / "include", dirs_exist_ok=True)
    copy_licences(unpacked, made / "licences")
    place(made, cache / f"cuda-{version}")
    place_nvvm(nvidia / "cuda_nvcc/nvvm", unpacked, work, cache / f"nvvm-{version}")
    place_assembler(nvidia / "cuda_nvcc/bin/ptxas", unpacked, work, cache / f"ptxas-{version}")


def make_ptxas13(unpacked, work, cache, version):
    place_assembler(unpacked / "nvidia/cu13/bin/ptxas", unpacked, work, cache / f"ptxas-{version}")


# A toolkit as the wheels lay it out together. An archive of Python's forgets which files are programs.
def make_nvcc(unpacked, work, cache, version):
    made = work / "made"
    made.mkdir()
    shutil.move(unpacked / "nvidia", made / "nvidia")
    toolkit = made / "nvidia/cu13"
    for folder in (toolkit / "bin", toolkit / "nvvm/bin"):
        for program in folder.iterdir():
            if program.is_file():
                program.chmod(0o755)
    copy_licences(unpacked, made / "licences")
    place(made, cache / f"nvcc-{version}")


def make_photos(unpacked, work, cache, version):
    made = work / "made"
    made.mkdir()
    for photo in ("astronaut.png", "coffee.png", "chelsea.png", "rocket.jpg", "hubble_deep_field.jpg"):
        shutil.move(unpacked / "skimage/data" / photo, made / photo)
    place(made, cache / f"photos-{version}")


def make_library_headers(unpacked, work, cache, version):
    made = work / "made"
    shutil.move(unpacked / "nvidia/cu13", made)
    copy_licences(unpacked, made / "licences")
    place(made, cache / f"library-headers-{version}")


MAKE = {"cuda": make_cuda, "ptxas13": make_ptxas13, "nvcc": make_nvcc, "photos": make_photos,
        "library-headers": make_library_headers}


def fetch(arguments, part):
    folders = [arguments.cache / name.replace("VERSION", arguments.version) for name in part["folders"]]
    if all(folder.is_dir() for folder in folders):
        return
    arguments.cache.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="work.", dir=arguments.cache))
    downloads = arguments.cache / f"downloads-{arguments.part}-{arguments.version}"
    try:
        free = shutil.disk_usage(arguments.cache).free // 10**6
        needed = 6 * part["megabytes"]  # the wheels, their contents, and the installed part of these
        if free < needed:
            raise Failed(f"{arguments.cache} has {free} MB left, and this needs {needed} MB meanwhile; make room there or "
                         "name another folder in XDG_CACHE_HOME")
        print(f"downloading {part['title']} ({part['megabytes']} MB)", file=sys.stderr, flush=True)
        unpacked = work / "unpacked"
        if arguments.requirements:
            unpack(download(arguments.requirements, downloads, work, part["megabytes"], arguments.progress), unpacked)
        for wheel in part.get("headers", []):
            fetch_headers(wheel, unpacked)
        MAKE[arguments.part](unpacked, work, arguments.cache, arguments.version)
        shutil.rmtree(downloads, ignore_errors=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        with contextlib.suppress(OSError):  # if something is in it, or nothing was downloaded
            downloads.rmdir()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=MAKE)
    parser.add_argument("--version", required=True)
    parser.add_argument("--requirements", type=pathlib.Path, help="without it, only the headers that parts.json names")
    parser.add_argument("--cache", required=True, type=pathlib.Path)
    parser.add_argument("--progress", action="store_true")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[\w.]+", arguments.version):
        parser.error(f"{arguments.version} is no version")
    with open(pathlib.Path(__file__).with_name("parts.json"), encoding="utf-8") as file:
        part = json.load(file)[arguments.part]
    # If it is ended from outside, it removes its unfinished files.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        fetch(arguments, part)
    except (Failed, OSError, KeyError, zipfile.BadZipFile) as error:
        print(f"{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
