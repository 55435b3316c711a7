"""Programs that need an option of nvcc, several files, or a device that nvcc no longer knows.

    options.py build/release/warplens
    options.py build/release/warplens clang    by clang and headers of our own: only what needs no option of nvcc's own
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
SKIPPED = 77
AGAIN = "Compiled again with "


def run(launcher, folder, *words, **variables):
    done = subprocess.run([launcher, "run", *words], capture_output=True, text=True, check=False, cwd=folder, timeout=280,
                          env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **variables})
    return done.returncode, done.stdout, done.stderr


def check_parts(launcher, folder):
    # The files in any order; the program's words after --.
    status, out, err = run(launcher, folder, "parts_device.cu", "parts.cu", "--", "word")
    assert (status, out) == (0, "106 word\n") and AGAIN + "-rdc=true" in err, (out, err)
    # What is unchanged is not compiled again; a header of either file is looked at.
    began = time.monotonic()
    status, out, err = run(launcher, folder, "parts_device.cu", "parts.cu", "--quiet", "--", "again")
    assert (status, out, err) == (0, "106 again\n", "") and time.monotonic() - began < 2, (out, err)
    # Asked for, it is compiled once and nothing is said.
    status, out, err = run(launcher, folder, "--nvcc", "-rdc=true -O1", "parts.cu", "parts_device.cu")
    assert (status, out) == (0, "106 -\n") and AGAIN not in err, (out, err)
    text = (folder / "parts_device.cu").read_text(encoding="utf-8")
    (folder / "parts_device.cu").write_text(text.replace("100", "200"), encoding="utf-8")
    status, out, err = run(launcher, folder, "--nvcc", "-rdc=true -O1", "parts.cu", "parts_device.cu")
    assert (status, out) == (0, "206 -\n"), (out, err)
    # A file that is not there, and options that make no program.
    status, out, err = run(launcher, folder, "parts.cu", "part_device.cu", "--", "word")
    assert status == 2 and "part_device.cu is to be compiled with parts.cu, and is not there" in err, (status, err)
    (folder / "plain.cu").write_text("int main() {}\n", encoding="utf-8")
    status, out, err = run(launcher, folder, "plain.cu", "--nvcc", "-c", "--", "word")
    assert status == 2 and "made no program" in err, (status, err)
    status, out, err = run(launcher, folder, "parts.cu", "--nvcc", "-std=c++99", "--", "word")
    assert status == 2 and "does not compile" in err, (status, err)


def check_options(launcher, folder):
    status, out, err = run(launcher, folder, "device_lambda.cu")
    assert (status, out) == (0, "6000\n") and AGAIN + "--extended-lambda" in err, (out, err)
    status, out, err = run(launcher, folder, "device_lambda.cu", "--quiet", "--nvcc", "-std=c++17", "--")
    assert (status, out, err) == (0, "6000\n", ""), (out, err)
    status, out, err = run(launcher, folder, "concept.cu")
    assert (status, out) == (0, "7\n") and AGAIN + "-std=c++20" in err, (out, err)
    # An older standard that is asked for stays.
    status, out, err = run(launcher, folder, "concept.cu", "--nvcc", "-std=c++17", "--")
    assert status == 2 and "concept" in err and AGAIN not in err, (out, err)


def check_texture(launcher, folder):
    status, _, err = run(launcher, folder, "texture_reference.cu")
    assert status == 2 and err.count("which CUDA 12 removed. Use a texture object") == 1, err


def check_old_device(launcher, folder):
    status, out, err = run(launcher, folder, "--device", "1080", "--nvcc", "-rdc=true", "parts.cu", "parts_device.cu", "--", "old")
    assert (status, out) == (0, "206 old\n") and "GTX 1080" in err and "compute_61" not in err, (out, err)
    return "compiled for 7.5" in err


def main():
    from run import choose_compiler
    launcher, by_clang = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:] == ["clang"]
    if why := choose_compiler(launcher, by_clang):
        print(why)
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in HERE.glob("parts*"):
            shutil.copy(file, folder)
        for file in ("device_lambda.cu", "concept.cu", "texture_reference.cu"):
            shutil.copy(HERE / file, folder)
        check_parts(launcher, folder)
        check_texture(launcher, folder)
        newer = check_old_device(launcher, folder)
        if not by_clang:
            check_options(launcher, folder)
    print(f"several files, options and an old device{' (compiled for a newer one)' if newer else ''} are as they should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
