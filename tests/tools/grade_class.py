#!/usr/bin/env python3
"""Makes a class of answers to the challenge bounds_check, some of them hostile, and grades it.

  python3 tests/tools/grade_class.py WARPLENS [ANSWERS [WORKERS]]

prints what docs/benchmarks.md says of grading; tests/tools/grade_test.py uses the same answers."""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

SIGNATURE = 'extern "C" __global__ void add(const float* x, const float* y, float* out, int n)'
INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def kernel(body, before=""):
    return f"{before}{SIGNATURE} {{\n{INDEX}{body}}}\n"


RIGHT = [
    lambda k: kernel("  if (i < n) out[i] = x[i] + y[i];\n"),
    lambda k: kernel("  if (i >= n) return;\n  out[i] = x[i] + y[i];\n"),
    lambda k: kernel(f"  const float a{k} = i < n ? x[i] : 0, b{k} = i < n ? y[i] : 0;\n  if (i < n) out[i] = a{k} + b{k};\n"),
    lambda k: kernel("  for (int at = i; at < n; at += gridDim.x * blockDim.x) out[at] = x[at] + y[at];\n"),
]
WRONG = [
    (lambda k: kernel("  out[i] = x[i] + y[i];\n"), {"fault"}),
    (lambda k: kernel("  if (i <= n) out[i] = x[i] + y[i];\n"), {"fault"}),
    (lambda k: kernel(f"  if (i < n && i != {k % 30}) out[i] = x[i] + y[i];\n"), {"mismatch"}),
    (lambda k: kernel("  if (i < n) out[i] = x[i] - y[i];\n"), {"mismatch"}),
    (lambda k: kernel("  if (i < n) out[i] = x[i] + y[i]\n"), {"compile"}),
    (lambda k: kernel("  if (i < n) out[0] = x[i] + y[i];\n"), {"finding", "mismatch"}),
]
# Name, content, the reasons that are right (None: it is no answer).
HOSTILE = [
    ("endless.cu", kernel("  volatile int go = 1;\n  while (go) go = 1;\n  out[0] = 1;\n"), {"steps"}),
    ("barrier.cu", kernel("  if (i % 2) __syncthreads();\n  if (i < n) out[i] = x[i] + y[i];\n"), {"fault"}),
    ("zeros.cu", b"\0" * 100_000, {"unreadable"}),
    ("empty.cu", "", {"unreadable"}),
    ("binary.cu", bytes(range(1, 256)) * 40, {"compile", "unreadable"}),
    ("huge.cu", "// " + "x" * 2_000_000 + "\n" + kernel("  if (i < n) out[i] = x[i] + y[i];\n"), {"unreadable"}),
    ("templates.cu", "template <int N> struct F { enum { v = F<N - 1>::v + F<N - 2>::v }; };\n" + kernel("  if (i < n) out[i] = F<900>::v;\n"), {"compile", "time", "memory"}),
    ("include_secret.cu", '#include "/etc/passwd"\n' + kernel("  if (i < n) out[i] = x[i] + y[i];\n"), {"compile"}),
    ("include_itself.cu", '#include __FILE__\n' + kernel("  if (i < n) out[i] = x[i] + y[i];\n"), {"compile"}),
    ("include_device.cu", '#include "/dev/zero"\n' + kernel("  if (i < n) out[i] = x[i] + y[i];\n"), {"compile", "time", "memory"}),
    ("include_reference.cu", '#include "right.cu"\n', {"compile"}),
    ("no_kernel.cu", "int main() { return 0; }\n", {"signature", "compile"}),
    ("other_parameters.cu", 'extern "C" __global__ void add(float* out) { out[0] = 1; }\n', {"signature"}),
    ("memory.cu", kernel("  char* p = (char*)malloc(100ull << 30);\n  if (p) p[0] = 1;\n  if (i < n) out[i] = p ? 1 : 2;\n"),
     {"mismatch", "memory", "finding", "fault"}),
    ("recursion.cu", "__device__ int f(int n) { return n <= 0 ? 1 : f(n + 1) + f(n + 2); }\n" + kernel("  if (i < n) out[i] = f(1);\n"), {"fault", "steps", "compile"}),
    ("trap.cu", kernel("  if (i == 0) __trap();\n  if (i < n) out[i] = x[i] + y[i];\n"), {"fault"}),
    ("far.cu", kernel("  if (i < n) out[i + (1ll << 40)] = x[i] + y[i];\n"), {"fault"}),
    ("null.cu", kernel("  if (i < n) *(float*)0 = x[i] + y[i];\n"), {"fault"}),
    ("inputs.cu", kernel("  if (i < n) ((float*)x)[i] = out[i] = x[i] + y[i];\n"), {"input"}),
    ("shared.cu", kernel("  __shared__ float s[40000];\n  s[threadIdx.x] = i < n ? x[i] : 0;\n  if (i < n) out[i] = s[threadIdx.x] + y[i];\n"), {"compile", "refused"}),
    ("printf.cu", kernel('  for (int k = 0; k < 100000; ++k) printf("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\n");\n'), {"mismatch", "steps", "memory", "time", "finding"}),
    ("assembly.cu", kernel('  asm volatile("exit;");\n'), {"mismatch"}),
    ("broken.json", '{"warplens_hand_in": 1, "source": 7}', {"unreadable"}),
    ("deep.json", "[" * 100_000, {"unreadable"}),
    ("other.json", json.dumps({"warplens_hand_in": 1, "challenge": "another", "source": "x"}), {"unreadable"}),
    ("formula.json", json.dumps({"warplens_hand_in": 1, "challenge": "bounds_check", "name": "=HYPERLINK(1)", "source": "x"}), {"compile"}),
    ("program.exe", b"MZ\x90", None),
    ("endless.py", "while True:\n    pass\n", {"time", "no_compiler"}),
    ("memory.py", "x = bytearray(100 << 30)\n", {"memory", "no_compiler", "compile"}),
]


NUMBA = """from numba import cuda
{}

@cuda.jit
def add(x, y, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] + y[i]
"""
STOPPED = {"time", "memory", "compile", "unreadable", "no_compiler"}
TOO_BIG = {"compile", "refused", "memory", "fault", "finding", "mismatch", "unreadable"}
WAS_HERE = "warplens_was_here"
# What takes its time: graded by hand, with main(), and not in the tests.
SLOW = [
    ("macros.cu", "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(A(A(x)))))))))\n"
     + kernel("  int s = 0;\n  B(s += i;)\n  if (i < n) out[i] = s;\n"), {"compile", "time", "memory"}),
    ("waits.cu", kernel("  volatile float* flag = out;\n  while (flag[0] != 12345.0f) { }\n"), {"steps", "finding", "time"}),
    ("shared_100_gb.cu", kernel("  __shared__ char big[100ull << 30];\n  out[0] = big[n];\n"), TOO_BIG),
    ("device_100_gb.cu", kernel("  out[0] = big[n];\n", "__device__ char big[100ull << 30];\n"), TOO_BIG),
    ("local_1_gb.cu", kernel("  volatile char big[1 << 30];\n  big[n] = 1;\n  out[0] = big[n];\n"), TOO_BIG),
    ("heap.cu", kernel("  char* p = 0;\n  for (int k = 0; k < 100000; ++k)\n    if ((p = (char*)malloc(1 << 20))) p[0] = 1;\n"
                       "  out[0] = p ? 1 : 0;\n"), {"memory", "fault", "finding", "steps", "time", "mismatch"}),
    ("doubling_templates.cu", kernel("  out[0] = T<40, 1>::v;\n",
     "template <int N, int M> struct T { static const int v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };\n"
     "template <int M> struct T<0, M> { static const int v = M; };\n"), STOPPED),
    ("constexpr_loop.cu", kernel("  constexpr unsigned long long v = f();\n  out[0] = v;\n",
     "constexpr unsigned long long f() { unsigned long long s = 0;\n"
     "  for (unsigned long long i = 0; i < 1000000000000ull; ++i) s += i * i;\n  return s; }\n"), STOPPED),
    ("unrolled.cu", kernel("  float s = 0;\n#pragma unroll\n  for (int a = 0; a < 4000; ++a)\n#pragma unroll\n"
                           "    for (int b = 0; b < 4000; ++b) s = s * x[a] + y[b];\n  out[0] = s;\n"),
     STOPPED | {"fault", "mismatch", "steps", "finding"}),
    ("brackets.cu", kernel("  out[0] = " + "(" * 200_000 + "x[0]" + ")" * 200_000 + ";\n"), STOPPED | {"mismatch"}),
    ("ten_megabytes.cu", "// " + "lorem ipsum " * 870_000 + "\n" + kernel("  if (i < n) out[i] = x[i] + y[i];\n"), STOPPED),
    ("garbage_assembly.cu", kernel('  asm volatile("garbage %r1;");\n'),
     {"compile", "signature", "refused", "unreadable", "fault", "mismatch"}),
    ("socket.py", NUMBA.format("import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=60)\n"), STOPPED),
    ("forks.py", NUMBA.format("import os\nwhile True:\n    os.fork()\n"), STOPPED),
    # What it does besides fails without a word; the kernel in it is right.
    ("writes_home.py", NUMBA.format(
        "import os\nfor p in (os.path.expanduser('~'), '/home', '/root', '/var/tmp', os.getcwd()):\n    try:\n"
        f"        open(os.path.join(p, '{WAS_HERE}'), 'w').write('x')\n    except OSError:\n        pass\n"),
     STOPPED | {"right"}),
    ("sleeps.py", NUMBA.format("import time\ntime.sleep(100000)\n"), STOPPED),
    ("eats_memory.py", NUMBA.format("a = []\nwhile True:\n    a.append(bytearray(1 << 26))\n"), STOPPED),
    ("prints.py", NUMBA.format("while True:\n    print('lorem ipsum dolor sit amet' * 1000)\n"), STOPPED),
]


def make_class(folder, answers, slow=False):
    """Writes so many answers, the hostile ones among them, and returns {file: reasons}; "right" is one."""
    expected = {}

    def write(name, content, reasons):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if reasons is not None:  # else it is no answer, and has no row
            expected[name] = reasons

    rng = random.Random(1)
    for name, content, reasons in HOSTILE + (SLOW if slow else []):
        write("hostile/" + name, content, reasons)
    os.mkfifo(os.path.join(folder, "hostile", "pipe.cu"))
    expected["hostile/pipe.cu"] = {"unreadable"}
    os.symlink("/dev/zero", os.path.join(folder, "hostile", "link.cu"))
    expected["hostile/link.cu"] = {"unreadable"}
    write("student_000/copy.cu", RIGHT[0](0), {"right"})
    write("student_001/copy.cu", RIGHT[0](0), {"right"})
    for k in range(answers - len(expected)):
        name = f"student_{k:03}/answer.cu"
        if rng.random() < 0.6:
            write(name, f"// answer {k}\n" + RIGHT[k % len(RIGHT)](k), {"right"})
        else:
            body, reasons = WRONG[k % len(WRONG)]
            write(name, f"// answer {k}\n" + body(k), reasons)
    return expected


def grade(warplens, folder, table, *options):
    return subprocess.run([warplens, "grade", folder, "--challenge", "bounds_check", "--csv", table, *options],
                          capture_output=True, text=True)


def wrong_rows(table, expected):
    """Rows that are not as expected, as sentences."""
    wrong, seen = [], set()
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            seen.add(row["file"])
            reason = "right" if row["right"] == "yes" else row["reason"]
            if reason not in expected.get(row["file"], set()):
                wrong.append(f"{row['file']}: {reason} ({row['message'][:160]})")
    return wrong + [f"{name} has no row" for name in set(expected) - seen]


def main():
    warplens, answers = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    workers = sys.argv[3] if len(sys.argv) > 3 else str(os.cpu_count())
    with tempfile.TemporaryDirectory() as folder:
        inside, table = os.path.join(folder, "class"), os.path.join(folder, "out.csv")
        os.mkdir(inside)
        expected = make_class(inside, answers, slow=True)
        begin = time.monotonic()
        ran = grade(warplens, inside, table, "--workers", workers, "--time", "20")
        seconds = time.monotonic() - begin
        print(ran.stdout + ran.stderr, end="")
        for line in wrong_rows(table, expected):
            print("WRONG", line)
        for place in (os.path.expanduser("~"), "/root", "/home", "/var/tmp", os.getcwd()):
            if os.path.exists(os.path.join(place, WAS_HERE)):
                print("WRONG something was left behind in", place)
        print(f"{answers} answers, {workers} workers: {seconds:.1f} s, {seconds / answers:.2f} s an answer; "
              f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
