"""What stands in front of nvcc makes of command lines (warplens nvcc --explain), and what it runs. No nvcc is needed: a script
that tells its words stands in its place."""
import os
import pathlib
import subprocess
import sys
import tempfile

WARPLENS = pathlib.Path(sys.argv[1]).resolve()
ARCH = "-gencode arch=compute_86,code=compute_86"
SHARED = f"{ARCH} -cudart shared"
LINES = f"{SHARED} -lineinfo -g"
LINK = "-nodlink -cudadevrt none"

# command line → what is run in its place; S is the folder for what is in between
CASES = [
    ("a.cu -o a", [f"a.cu -o a {LINES} {LINK}"]),
    ("-O3 -arch=sm_35 -c a.cu", [f"-O3 -c a.cu {LINES}"]),
    ("-arch sm_60 -code=sm_60 -c a.cu -o b.o", [f"-c a.cu -o b.o {LINES}"]),
    ("-gencode arch=compute_50,code=sm_50 --generate-code=arch=compute_90,code=[compute_90,sm_90] -c a.cu", [f"-c a.cu {LINES}"]),
    ("--gpu-architecture=native -G -c a.cu", [f"-G -c a.cu {SHARED} -g"]),
    ("-lineinfo -cudart=static -c a.cu", [f"-lineinfo -c a.cu {SHARED} -g"]),
    ("-g -c a.cu", [f"-g -c a.cu {SHARED} -lineinfo"]),
    ("--cudart none -dlto -c a.cu", [f"-c a.cu {LINES}"]),
    ("-ccbin clang++ -Xcompiler -Wall,-O2 -Ifolder -DX=1 -c a.cu", [f"-ccbin clang++ -Xcompiler -Wall,-O2 -Ifolder -DX=1 -c a.cu {LINES}"]),
    ("-cubin a.cu", [f"a.cu -arch=compute_86 -cudart shared -lineinfo -g --ptx -o a.cubin"]),
    ("--fatbin f/a.cu -o x.fatbin", [f"f/a.cu -o x.fatbin -arch=compute_86 -cudart shared -lineinfo -g --ptx"]),
    ("-rdc=true a.cu b.cu -o x", [f"{LINES} -rdc=true -c a.cu -o S/1.o", f"{LINES} -rdc=true -c b.cu -o S/2.o", "(S/1.o S/2.o)",
                                  "-c S/device_link.c -o S/device_link.o", f"-o x {LINES} {LINK} S/1.o S/2.o S/device_link.o"]),
    ("a.o b.o -o x", ["(a.o b.o)", "-c S/device_link.c -o S/device_link.o", f"a.o b.o -o x {LINES} {LINK} S/device_link.o"]),
    ("-Xcompiler -fPIC -dlink a.o -o d.o -Lf -lmine", ["(a.o f/libmine.a)", "-Xcompiler -fPIC -c S/device_link.c -o d.o"]),
    ("-dlink a.o f/libcudadevrt.a -o d.o -Lf -lcudadevrt -lmine", ["(a.o f/libmine.a)", "-c S/device_link.c -o d.o"]),
    ("-dc a.cu", [f"-dc a.cu {LINES}"]),
    ("-lib a.o -o x.a", [f"-lib a.o -o x.a {LINES}"]),
    # Several sources and the files that they include: one file for each.
    ("a.cu b.cu -MD -MF d -o x", [f"-MD -MF d {LINES} -c a.cu -o S/1.o", f"-MD -MF d.1 {LINES} -c b.cu -o S/2.o",
                                  f"-o x {LINES} {LINK} S/1.o S/2.o"]),
    ("-rdc=true a.cu -MD -MF d -o x", [f"-MD -MF d {LINES} -rdc=true -c a.cu -o S/1.o", "(S/1.o)",
                                       "-c S/device_link.c -o S/device_link.o", f"-o x {LINES} {LINK} S/1.o S/device_link.o"]),
    ("--version", ["--version"]),
    ("-optf words.txt -c a.cu", [f"-O2 -DNAME=two words -c a.cu {LINES}"]),
]


def front(*words, folder, **more):
    compiler = folder / "nvcc"
    compiler.write_text('#!/bin/sh\necho "ran: $*"\n', encoding="utf-8")
    compiler.chmod(0o755)
    return subprocess.run([WARPLENS, "nvcc", *words], capture_output=True, text=True, check=False, cwd=folder,
                          env={**os.environ, "WARPLENS_NVCC": str(compiler), "NVCC_PREPEND_FLAGS": "", "NVCC_APPEND_FLAGS": "", **more})


def test_plans(folder):
    (folder / "words.txt").write_text("-O2\n-DNAME='two words'\n", encoding="utf-8")
    for given, wanted in CASES:
        done = front("--explain", *given.split(), folder=folder)
        assert done.returncode == 0, (given, done.stderr)
        lines = [line for line in done.stdout.splitlines() if not line.startswith("The program asks")]
        scratch = next((part for line in lines for part in line.split() if "warplens-nvcc-" in part), None)
        if scratch:
            head = scratch[:scratch.index("warplens-nvcc-") + len("warplens-nvcc-XXXXXX")].lstrip("(")
            lines = [line.replace(head, "S") for line in lines]
        lines = [line.replace(f"{folder}/nvcc ", "").replace("(register the device code of: ", "(").replace("'", "") for line in lines]
        assert lines == wanted, (given, lines, wanted)


def test_runs(folder):
    done = front("-arch=sm_35", "-c", "a.cu", folder=folder)
    assert done.stdout == f"ran: -c a.cu {LINES}\n" and "asks for sm_35" in done.stderr, (done.stdout, done.stderr)
    # Words of the environment are nvcc's own, and come once.
    done = front("-c", "a.cu", folder=folder, NVCC_PREPEND_FLAGS="-w", NVCC_APPEND_FLAGS="-arch=sm_86")
    assert done.stdout == f"ran: -w -c a.cu {LINES}\n" and done.stderr == "", (done.stdout, done.stderr)
    done = front("-optf", "none.txt", folder=folder)
    assert done.returncode == 1 and "none.txt" in done.stderr
    (folder / "loop.txt").write_text("-optf loop.txt", encoding="utf-8")
    done = front("-optf", "loop.txt", folder=folder)
    assert done.returncode == 1 and "contains itself" in done.stderr, done.stderr


# What CUDA 13 has removed is declared again where a text does not compile without it; other errors stay as they are.
def test_older_programs(folder):
    compiler = folder / "older"
    compiler.write_text("""#!/bin/sh
case "$*" in --list-gpu-arch) exit ;; esac
echo once >> runs
case "$*" in *cuda12_names.h*) grep -c cudaThreadSynchronize "$2"; exit ;; esac
echo 'a.cu(3): error: identifier "'"$WRONG"'" is undefined' >&2
exit 2
""", encoding="utf-8")
    compiler.chmod(0o755)
    runs = folder / "runs"
    done = front("-c", "a.cu", folder=folder, WARPLENS_NVCC=str(compiler), WRONG="cudaThreadSynchronize", XDG_CACHE_HOME=str(folder))
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", ""), done
    assert runs.read_text(encoding="utf-8") == "once\nonce\n"
    runs.unlink()
    done = front("-c", "a.cu", folder=folder, WARPLENS_NVCC=str(compiler), WRONG="cudaThread", XDG_CACHE_HOME=str(folder))
    assert done.returncode == 2 and "cudaThread" in done.stderr, done
    assert runs.read_text(encoding="utf-8") == "once\n"


# No toolkit brings NCCL's header: ours takes its place where there is none.
def test_header_of_nccl(folder):
    compiler = folder / "without"
    compiler.write_text("""#!/bin/sh
case "$*" in --list-gpu-arch) exit ;; esac
case "$1 $2" in "-I "*/front/nccl) cd "$2" && grep -l "types.h" nccl.h && grep -l "ncclAllReduce" nccl/functions.h && ls nccl/types.h; exit ;; esac
echo 'a.cu:1:10: fatal error: nccl.h: No such file or directory' >&2
exit 1
""", encoding="utf-8")
    compiler.chmod(0o755)
    done = front("-c", "a.cu", folder=folder, WARPLENS_NVCC=str(compiler), XDG_CACHE_HOME=str(folder))
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["nccl.h", "nccl/functions.h", "nccl/types.h"], ""), done


# With --add-options, what the compiler asks for is added, one after the other, and said; what does not help is taken back.
def test_added_options(folder):
    compiler = folder / "asking"
    compiler.write_text("""#!/bin/sh
case "$*" in --list-gpu-arch) exit ;; esac
echo "$*" >> runs
ask() {  # OPTION, MESSAGE
  case " $WORDS " in *" $1 "*) ;; *) echo "$2" >&2; status=2 ;; esac
}
WORDS="$*" status=0
[ -z "$LAMBDA" ] || ask --extended-lambda "a.cu(3): error: __device__ annotation on lambda requires --extended-lambda nvcc flag"
[ -z "$RELAXED" ] || ask --expt-relaxed-constexpr "The experimental flag '--expt-relaxed-constexpr' can be used to allow this."
[ -z "$OPENMP" ] || ask -Xcompiler=-fopenmp 'a.cu: undefined reference to `omp_get_max_threads'"'"
[ -z "$NEVER" ] || { echo 'a.cu(1): error: namespace "std" has no member "nonsense"' >&2; status=2; }
exit $status
""", encoding="utf-8")
    compiler.chmod(0o755)
    runs = folder / "runs"

    def compiled(*words, **wants):
        runs.unlink(missing_ok=True)
        done = front(*words, "-c", "a.cu", folder=folder, WARPLENS_NVCC=str(compiler), **wants)
        return done, runs.read_text(encoding="utf-8").splitlines()

    done, ran = compiled("--add-options", LAMBDA="1", RELAXED="1", OPENMP="1")
    assert done.returncode == 0 and len(ran) == 4 and "error" not in done.stderr, (done, ran)
    for option in ("--extended-lambda", "--expt-relaxed-constexpr", "-Xcompiler=-fopenmp"):
        assert done.stderr.count(f"Compiled again with {option}, for ") == 1, (option, done.stderr)
    done, ran = compiled("--add-options", LAMBDA="1", WARPLENS_PROGRAM_QUIET="1")
    assert (done.returncode, done.stderr, len(ran)) == (0, "", 2), (done, ran)
    # Without it the compiler's word stands, and it runs once.
    done, ran = compiled(LAMBDA="1")
    assert done.returncode == 2 and "--extended-lambda nvcc flag" in done.stderr and len(ran) == 1, (done, ran)
    # An option that does not help is not kept, and not said.
    done, ran = compiled("--add-options", NEVER="1", LAMBDA="1")
    assert done.returncode == 2 and "nonsense" in done.stderr and "-std=c++20" not in done.stderr, done
    assert ["-std=c++20" in line for line in ran] == [False, False, True], ran
    # Nor one that the command has.
    done, ran = compiled("--add-options", "-std=c++17", NEVER="1")
    assert done.returncode == 2 and len(ran) == 1, (done, ran)


# Where nvcc knows the device's architecture no longer, the oldest that it knows; a newer device's, the next older.
def test_targets(folder):
    compiler = folder / "knows"
    compiler.write_text('#!/bin/sh\ncase "$*" in --list-gpu-arch) printf "compute_75\\ncompute_80\\ncompute_90\\n"; exit ;; esac\n'
                        'echo "ran: $*"\n', encoding="utf-8")
    compiler.chmod(0o755)
    for device, target, said in (("gtx_1080", 75, "6.1, and this nvcc compiles for 7.5"), ("t4", 75, ""), ("rtx_3060", 80, ""),
                                 ("rtx_5090", 90, "")):
        done = front("-c", "a.cu", folder=folder, WARPLENS_NVCC=str(compiler), WARPLENS_PROGRAM_DEVICE=device)
        assert f"arch=compute_{target},code=compute_{target}" in done.stdout, (device, done)
        assert (said in done.stderr) if said else done.stderr == "", (device, done)


# A compiler that is called by its whole path is the one in front, and what that one starts is NVIDIA's.
def test_called_by_path(folder):
    if not (WARPLENS.parent / "driver" / "libwarplens_preload.so").exists():
        return
    compiler = folder / "toolkit" / "bin" / "nvcc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text('#!/bin/sh\necho "ran: $*"\n', encoding="utf-8")
    compiler.chmod(0o755)
    for line in (f"{compiler} -arch=sm_20 -c a.cu", f"exec {compiler} -arch=sm_20 -c a.cu", f"env {compiler} -arch=sm_20 -c a.cu"):
        done = subprocess.run([WARPLENS, "program", "--quiet", "--", "sh", "-c", line], capture_output=True, text=True, check=False,
                              env={**os.environ, "WARPLENS_NVCC": str(compiler), "XDG_CACHE_HOME": str(folder)})
        assert done.stdout == f"ran: -c a.cu {LINES}\n" and done.returncode == 0, (line, done)


def main():
    with tempfile.TemporaryDirectory() as name:
        test_plans(pathlib.Path(name))
        test_runs(pathlib.Path(name))
        test_older_programs(pathlib.Path(name))
        test_header_of_nccl(pathlib.Path(name))
        test_added_options(pathlib.Path(name))
        test_targets(pathlib.Path(name))
        test_called_by_path(pathlib.Path(name))
    return 0


sys.exit(main())
