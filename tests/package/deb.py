"""Tries the package for Debian in a fresh system: installed, used as a user without rights, and removed without a trace.

tools/package --check calls this for Debian 12. By hand, as root, for Ubuntu 24.04, on a machine with Ubuntu's keys:

  tests/package/deb.py dist/warplens_0.9.0_amd64.deb noble http://archive.ubuntu.com/ubuntu
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from places import OWN, PROGRAM, Root, debian, failures, megabytes

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In addition to what the package needs: a display, and what shows a desktop's menu entries and kinds of files.
NEEDS = ("xvfb", "xauth", "desktop-file-utils", "shared-mime-info")
FILES = {"own.cu": OWN, "program.cu": PROGRAM}
UBUNTU = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"  # of the package ubuntu-keyring
# What the system itself writes while it installs, runs and removes packages.
OF_THE_SYSTEM = re.compile(r"^(var/(lib/dpkg|log|cache)|home/student/\.cache/(fontconfig|mesa_shader_cache)|tmp|proc|dev|sys|etc/ld\.so\.cache)")


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def needed(package):
    """The names of the packages without which it cannot be installed, and of those that it recommends."""
    listed = f"{field(package, 'Depends')}, {field(package, 'Recommends')}"
    return [re.match(r"[a-z0-9.+-]+", part.strip())[0] for part in listed.split(",")]


def files_of(root):
    return {str(path.relative_to(root.folder)) for folder in ("bin", "etc", "home", "opt", "usr", "var")
            for path in (root.folder / folder).rglob("*")
            if not OF_THE_SYSTEM.match(str(path.relative_to(root.folder)))}


def as_root(root, what, *command):
    done = subprocess.run(["chroot", root.folder, *command], capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
    said(root, done.returncode == 0, what, (done.stdout + done.stderr)[-1000:])


def said(root, right, what, why=""):
    print(f"  {'ok  ' if right else 'FAIL'} {what}")
    if not right:
        failures.append(f"{root.place.name}: {what}: {why}")


def hand_ins(home):
    """A class of two, one of whom is right."""
    for student, answer in (("ada", "right.cu"), ("bob", "wrong_no_check.cu")):
        (home / "class" / student).mkdir(parents=True)
        shutil.copy(ROOT / "assets/challenges/bounds_check" / answer, home / "class" / student / "answer.cu")


def use(root, pictures, size, warplens="warplens"):
    place, in_home = root.place, ["env", "--chdir=/home/student"]
    place.run("--version", warplens, "--version", says="warplens ")
    place.run("grayscale, checked", warplens, "run", "grayscale", "--check", says="gray is right")
    place.run("a kernel of one's own", *in_home, warplens, "run", "own.cu", says="It ran to its end")
    place.run("a program with a main", *in_home, warplens, "run", "program.cu", says="no error, sum[999] = 999")
    place.run("a graded folder", *in_home, warplens, "grade", "class", "--challenge", "bounds_check", "--csv", "table.csv",
              says="1 right, 1 not right")
    place.run("the window, without a display", warplens, expect=3, says="no display")
    place.run("the window as a picture", *in_home, "xvfb-run", "-a", "-s", "-screen 0 1920x1080x24", warplens, "render",
              "window", "--size", size, "--out", "window.png")
    if (root.home / "window.png").exists() and pictures is not None:
        shutil.copy(root.home / "window.png", pictures / "deb.png")


def belongs_to_the_desktop(root):
    place, share = root.place, root.folder / "usr/share"
    place.run("its entry in the menu", "desktop-file-validate", "/usr/share/applications/warplens.desktop")
    kinds = (share / "mime/globs2").read_text(encoding="utf-8")
    said(root, all(f":{glob}\n" in kinds for glob in ("*.warplens", "*.cu", "*.ptx")), "its kinds of files")
    place.run("its completions", "bash", "-c", ". /usr/share/bash-completion/completions/warplens && complete -p warplens",
              says="warplens")
    page = subprocess.run(["gzip", "-dc", share / "man/man1/warplens.1.gz"], capture_output=True, text=True, check=False).stdout
    said(root, f"\\- {sentence()}" in page, "its page of the manual says the sentence of the package")


def sentence():
    return re.search(r'DESCRIPTION "([^"]*)"', (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1].replace("-", "\\-")


def looks_right(root, package):
    """To the tool with which Debian looks at its own packages. Only tools/release names a person who answers for the package."""
    if shutil.which("lintian") is None:
        print("  skipped: lintian is not installed")
        return
    done = subprocess.run(["lintian", "--fail-on", "error,warning", "--suppress-tags",
                           "bogus-mail-host,bogus-mail-host-in-debian-changelog", "--allow-root", package],
                          capture_output=True, text=True, check=False)
    said(root, done.returncode == 0, "lintian has nothing to say", done.stdout + done.stderr)


def check(root, package, pictures, size):
    print(f"{package.name}: {megabytes(package):.1f} MB")
    root.place.name = "deb"
    looks_right(root, package)
    for file in root.home.iterdir():
        if file.is_file():
            file.unlink()
    before = files_of(root)
    hand_ins(root.home)
    for name, text in FILES.items():
        (root.home / name).write_text(text, encoding="utf-8")
    root.bring(package)
    as_root(root, "dpkg --install", "dpkg", "--install", f"/home/student/{package.name}")
    # Not a package for another machine, and not one with half of its files.
    as_root(root, "dpkg --verify", "dpkg", "--verify", "warplens")
    use(root, pictures, size)
    belongs_to_the_desktop(root)
    as_root(root, "dpkg --purge", "dpkg", "--purge", "warplens")
    for path in ("class", "table.csv", "window.png", package.name, *FILES, ".cache/warplens", ".config/warplens"):
        path = root.home / path
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    left = sorted(path for path in files_of(root) - before if path not in ("home/student/.cache", "home/student/.config"))
    said(root, not left, "nothing is left", left[:5])


def main():
    package, suite, *mirror = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="warplens-deb-") as folder:
        folder = pathlib.Path(folder) / "root"
        package = pathlib.Path(package)
        clang = ("clang", "libclc-18", "libstdc++-13-dev") if suite == "noble" else ("clang", "libclc-14", "libstdc++-12-dev")
        sources = [f"deb [signed-by={UBUNTU}] {address} {suite} main universe" for address in mirror]
        debian(folder, *clang, *NEEDS, *needed(package), suite=suite, mirror=sources)
        check(Root(folder, f"deb, {suite}"), package, None, "1280x720")
    print(*(f"failed: {failure}" for failure in failures), sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
