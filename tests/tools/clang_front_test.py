"""What stands in front of nvcc makes of command lines where clang compiles (warplens nvcc --explain). No clang is needed: a
script that tells its version stands in its place."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WARPLENS = pathlib.Path(sys.argv[1]).resolve()
BOTH = "--driver-mode=g++ -x cuda PASS -nocudainc -nocudalib -Xclang -target-sdk-version=11.0 -Wno-unknown-cuda-version -std=c++17 -isystem H -include warplens_program.h"
DEVICE = BOTH.replace("PASS", "--cuda-device-only")
HOST = BOTH.replace("PASS", "--cuda-host-only")
GPU = ("--cuda-gpu-arch=sm_86 -Xclang -target-feature -Xclang +ptx71 -Wno-unknown-cuda-version -fno-builtin-malloc -fno-builtin-free "
       "-Wno-linker-warnings -Wno-c11-extensions -Xclang -ffp-contract=fast-honor-pragmas -O3 -gline-directives-only")
FAT = "-Xclang -fcuda-include-gpubinary -Xclang"


def object_of(source, to, number=1, device="", host="", more=""):
    """The steps that make an object of a text in CUDA C++."""
    return [f"{DEVICE}{more} {GPU}{device} -w -S -o S/{number}.ptx {source}", f"(the PTX becomes S/{number}.fatbin)",
            f"{HOST}{more} {FAT} S/{number}.fatbin -g{host} -c {source} -o {to}"]


def ptx_of(source, to):
    return [f"{DEVICE} {GPU} -w -S -o {to} {source}"]


LINK = "--driver-mode=g++"
RDC = " -fgpu-rdc -cuid=C -Xclang -cuid=C"
STUB = "-x c -c S/device_link.c -o S/device_link.o"
# command line → what is run in its place; S is the folder for what is in between, H that of the headers, L that of the libraries
CASES = [
    ("a.cu -o a", [*object_of("a.cu", "S/1.o"), f"{LINK} S/1.o -o a -LL -lcudart"]),
    ("a.cu", [*object_of("a.cu", "S/1.o"), f"{LINK} S/1.o -o a.out -LL -lcudart"]),
    ("-O3 -arch=sm_86 -c f/a.cu", object_of("f/a.cu", "a.o", host=" -O3")),
    ("-Ifolder -DX=1 -UY -c a.cu -o b.o", object_of("a.cu", "b.o", device=" -Ifolder -DX=1 -UY", host=" -Ifolder -DX=1 -UY")),
    ("-I NVIDIAS -c a.cu", object_of("a.cu", "a.o")),
    ("-std=c++20 -c a.cu", object_of("a.cu", "a.o", device=" -std=c++20", host=" -std=c++20")),
    ("-use_fast_math -fmad=false -c a.cu", object_of("a.cu", "a.o", device=" -ffast-math -fcuda-flush-denormals-to-zero -Xclang -ffp-contract=off")),
    ("-fmad=true -ftz=false -c a.cu", object_of("a.cu", "a.o")),
    ("-G -g -lineinfo -c a.cu", object_of("a.cu", "a.o", device=" -O0 -g --cuda-noopt-device-debug")),
    ("-Xcompiler -Wall,-fPIC -w -c a.cu", object_of("a.cu", "a.o", host=" -Wall -fPIC -w")),
    ("--default-stream per-thread -c a.cu", object_of("a.cu", "a.o", device=" -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", host=" -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")),
    ("-MD -MF a.d -MT a.o -MP -c a.cu", object_of("a.cu", "a.o", host=" -MD -MF a.d -MT a.o -MP")),
    ("-m64 -Xptxas -v -maxrregcount=32 --expt-relaxed-constexpr -extended-lambda -Wno-deprecated-gpu-targets -c a.cu", object_of("a.cu", "a.o")),
    ("--forward-unknown-to-host-compiler -fno-strict-aliasing -c a.cu", object_of("a.cu", "a.o", host=" -fno-strict-aliasing")),
    ("-x cu -c a.cpp", object_of("a.cpp", "a.o")),
    ("-O2 -c a.cpp", ["--driver-mode=g++ -isystem H -g -O2 -c a.cpp -o a.o"]),
    ("-c a.c", ["--driver-mode=g++ -x c -isystem H -g -c a.c -o a.o"]),
    ("-dc a.cu", object_of("a.cu", "a.o", more=RDC)),
    ("-rdc=true a.cu b.cu -o x", [*object_of("a.cu", "S/1.o", more=RDC), *object_of("b.cu", "S/2.o", number=2, more=RDC),
                                  "(S/1.o S/2.o)", STUB, f"{LINK} S/1.o S/2.o S/device_link.o -o x -LL -lcudart"]),
    ("a.o b.o -o x -Lf -lm -lcudart -lcudadevrt -Xlinker -rpath,f", ["(a.o b.o f/libm.a f/libcudart.a)", STUB, f"{LINK} S/device_link.o a.o b.o -o x -LL -Lf -lm -Xlinker -rpath -Xlinker f -lcudart"]),
    ("-shared -Xcompiler -fPIC a.o -o x.so", ["(a.o)", f"-fPIC {STUB}", f"{LINK} S/device_link.o a.o -o x.so -LL -shared -fPIC -lcudart"]),
    ("-Xcompiler -fPIC -dlink a.o -o d.o -Lf -lmine", ["(a.o f/libmine.a)", "-fPIC -x c -c S/device_link.c -o d.o"]),
    ("-lib a.o -o x.a", ["ar rcs x.a a.o"]),
    ("-ptx f/a.cu", ptx_of("f/a.cu", "a.ptx")),
    ("-cubin a.cu -o x.cubin", ptx_of("a.cu", "x.cubin")),
    ("-E a.cu", [f"{HOST} -g -E a.cu"]),
    ("-M a.cu -o a.d", [f"{HOST} -g -M a.cu -o a.d"]),
    ("-run a.cu -o a", [*object_of("a.cu", "S/1.o"), f"{LINK} S/1.o -o a -LL -lcudart", "./a"]),
    ("-optf words.txt -c a.cu", object_of("a.cu", "a.o", device=" -DNAME=two words", host=" -O2 -DNAME=two words")),
]
REFUSED = [("-entries k -c a.cu", "-entries"), ("-no-such-option a.cu", "-no-such-option"), ("-m32 a.cu", "-m32"), ("--default-stream odd a.cu", "--default-stream odd"),
           ("-code-ls", "--list-gpu-code"), ("-c a.cu b.cu -o x.o", "several sources"), ("-O2", "no file"), ("-optf none.txt a.cu", "none.txt"), ("-c a.o", "no source")]


def front(*words, folder, **more):
    compiler = folder / "clang"
    compiler.write_text("#!/bin/sh\necho 'clang version 14.0.6'\n", encoding="utf-8")
    compiler.chmod(0o755)
    return subprocess.run([WARPLENS, "nvcc", *words], capture_output=True, text=True, check=False, cwd=folder,
                          env={**os.environ, "WARPLENS_COMPILER": "clang", "WARPLENS_CLANG": str(compiler), "WARPLENS_LIBRARIES": "L",
                               "WARPLENS_PROGRAM_FOLDER": "", "NVCC_PREPEND_FLAGS": "", "NVCC_APPEND_FLAGS": "", **more})


def plain(line, folder):
    line = line.replace(f"{folder}/clang ", "").replace("(register the device code of: ", "(").replace("'", "")
    line = re.sub(r"\S*?warplens-nvcc-\w{6}", lambda match: "(S" if match[0].startswith("(") else "S", line)
    line = re.sub(r"-cuid=\w{16}", "-cuid=C", line)
    return re.sub(r"\S+/clang-headers-\w+", "H", line)


def test_plans(folder):
    (folder / "words.txt").write_text("-O2\n-DNAME='two words'\n", encoding="utf-8")
    (folder / "NVIDIAS" / "crt").mkdir(parents=True)
    (folder / "NVIDIAS" / "crt" / "host_defines.h").write_text("", encoding="utf-8")
    for given, wanted in CASES:
        done = front("--explain", *given.split(), folder=folder)
        assert done.returncode == 0, (given, done.stderr)
        lines = [plain(line, folder) for line in done.stdout.splitlines()]
        assert lines == wanted, "\n".join([given, *lines, "wanted", *wanted])


def test_refused(folder):
    for given, named in REFUSED:
        done = front(*given.split(), folder=folder)
        assert done.returncode == 1 and named in done.stderr and done.stdout == "", (given, done)


def test_answers(folder):
    done = front("--version", folder=folder)
    assert done.returncode == 0 and "clang 14.0.6" in done.stdout and "release 12.9" in done.stdout, done
    # Nothing is run, and the steps are told as nvcc tells them.
    done = front("-dryrun", "a.cu", folder=folder)
    assert done.returncode == 0 and "--cuda-host-only" in done.stderr and done.stdout == "", done
    done = front("--explain", "-ccbin", "g++", "-arch=sm_35", "-c", "a.cu", folder=folder)
    assert "-ccbin is left out" in done.stdout and "asks for sm_35" in done.stdout, done.stdout


def main():
    for test in (test_plans, test_refused, test_answers):
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder).resolve())


if __name__ == "__main__":
    main()
