"""Runs programs of other people's tools on the virtual GPU, through `warplens program`.

  run.py WARPLENS course                      the course scripts (tests/programs/course), each checks itself
  run.py WARPLENS suite numba-cuda [MODULE…]  numba-cuda's own tests, a process a module; numba: those of Numba
  run.py WARPLENS written                     every program that `warplens code` writes for Numba

Python packages are those of requirements.txt, in an environment of their own in the user's cache folder. Exit status 77
where none can be made. Failures that are not the driver's are in expected_failures.txt, each with its reason: what fails
beside them is an error, and so is one that passes.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
MODULE_TIMEOUT_S = 900
PACKAGES = {"numba-cuda": "numba_cuda.numba.cuda.tests", "numba": "numba.cuda.tests"}


def environment():
    """The Python of the environment; None where there can be none."""
    wanted = HERE / "requirements.txt"
    key = hashlib.sha256(wanted.read_bytes() + sys.version.encode()).hexdigest()[:12]
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "warplens"
    folder = cache / f"programs-{key}"
    python = folder / "bin" / "python"
    if (folder / "ready").exists():
        return python
    try:
        venv.create(folder, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: no virtual environment could be made: {error}")
        return None
    pip = [python, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps", "-r", wanted]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode != 0:
        print("skipped: the packages of tests/programs/requirements.txt could not be installed:", done.stderr[-300:])
        return None
    (folder / "ready").touch()
    return python


def program(warplens, python, arguments, timeout):
    """Runs Python with these arguments on the virtual GPU: exit status and all that it said."""
    command = [warplens, "program", "--quiet", "--", python, "-W", "ignore", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired as late:
        said = late.stderr or b""
        return "too late", said if isinstance(said, str) else said.decode(errors="replace")


def in_parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, items))


def run_scripts(warplens, python, scripts):
    results = in_parallel(lambda script: (script, *program(warplens, python, [script], 300)), scripts)
    # Numba links grid.sync() with a library of the CUDA toolkit, which set-up does not bring.
    skipped = [script for script, status, said in results if status != 0 and "libcudadevrt.a not found" in said]
    for script in skipped:
        print(f"{script.name} skipped: libcudadevrt.a is not on this machine; the CUDA toolkit has it")
    failed = [(script, said) for script, status, said in results if status != 0 and script not in skipped]
    for script, said in failed:
        print(f"{script.name} failed:\n{said[-2000:]}")
    print(f"{len(results) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not results else 0


def write_programs(warplens, folder):
    """What `warplens code --form numba` writes, a file a kernel."""
    listed = subprocess.run([warplens, "kernels"], capture_output=True, text=True, check=True).stdout
    written = []
    for name in re.findall(r"^(\w+) {2,}", listed, re.M):
        text = subprocess.run([warplens, "code", name, "--form", "numba"], capture_output=True, text=True)
        if text.returncode != 0:
            continue
        path = folder / f"{name}.py"
        path.write_text(text.stdout, encoding="utf-8")
        written.append(path)
    return written


def modules_of(warplens, python, package):
    code = (f"import {package} as p, pkgutil\n"
            "for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.'):\n"
            "    if m.name.split('.')[-1].startswith('test_') and 'nocuda' not in m.name and 'cudasim' not in m.name:\n"
            "        print('module', m.name)")
    status, said = program(warplens, python, ["-c", code], 300)
    if status != 0:
        sys.exit(f"the tests of {package} cannot be listed:\n{said[-2000:]}")
    return re.findall(r"^module (\S+)$", said, re.M)


def expected_failures(suite):
    """test → reason, of this suite."""
    found = {}
    for line in (HERE / "expected_failures.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            of, test, reason = (part.strip() for part in line.split("|", 2))
            if of in (suite, "both"):
                found[test] = reason
    return found


def run_module(warplens, python, module):
    status, said = program(warplens, python, ["-m", "unittest", "-v", module], MODULE_TIMEOUT_S)
    failed = {f"{module.rpartition('.')[2]}.{name}" for name in re.findall(r"^(?:ERROR|FAIL): (\w+) ", said, re.M)}
    ran = re.search(r"^Ran (\d+) test", said, re.M)
    skipped = len(re.findall(r"\.\.\. skipped", said))
    if ran is None:
        failed.add(f"{module.rpartition('.')[2]} ({status})")
    return module, int(ran.group(1)) if ran else 0, skipped, failed


def run_suite(warplens, python, suite, only):
    expected = expected_failures(suite)
    modules = only or modules_of(warplens, python, PACKAGES[suite])
    ran = skipped = 0
    failed = set()
    for module, count, left_out, wrong in in_parallel(lambda m: run_module(warplens, python, m), modules):
        ran, skipped, failed = ran + count, skipped + left_out, failed | wrong
        if wrong:
            print(f"{module}: {', '.join(sorted(wrong))}", flush=True)
    unexpected = sorted(failed - expected.keys())
    healed = sorted(expected.keys() - failed) if not only else []
    for test in unexpected:
        print(f"not expected to fail: {test}")
    for test in healed:
        print(f"passes now, take it out of expected_failures.txt: {test}")
    print(f"{suite}: {ran - skipped - len(failed)} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if unexpected or healed else 0


def main():
    warplens, what = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    python = environment()
    if python is None:
        return SKIPPED
    if what == "course":
        return run_scripts(warplens, python, sorted((HERE / "course").glob("*.py")))
    if what == "written":
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            return run_scripts(warplens, python, write_programs(warplens, pathlib.Path(folder)))
    return run_suite(warplens, python, sys.argv[3], sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
