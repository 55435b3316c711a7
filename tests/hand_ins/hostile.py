"""Thirty hand-ins that are there to break a grader: they do not end, fill memory or disk, look for files, or are no text.

Each is (name, bytes or a function that makes the file, what the judge may say). None may earn a star but the copies, none
may hurt another row, and none may leave anything behind.
"""
import random
from pathlib import Path

HEAD = 'extern "C" __global__ void add(const float* x, const float* y, float* out, int n) {\n'
INDEX = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
RIGHT = HEAD + INDEX + "  if (i < n) out[i] = x[i] + y[i];\n}\n"
NUMBA = """from numba import cuda


@cuda.jit
def add(x, y, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] + y[i]
"""

# A program that hangs or is stopped, in the compiler or in Python; where one of them is not there, that is said.
STOPPED = ["time", "memory", "compile", "unreadable", "no_compiler"]
ENDLESS = ["steps", "time", "fault", "finding", "mismatch"]


def deep_templates() -> str:
    """Instantiations that double with each level."""
    return ("template <int N, int M> struct T { static const int v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };\n"
            "template <int M> struct T<0, M> { static const int v = M; };\n" + HEAD +
            "  out[0] = T<40, 1>::v;\n}\n")


def macro_bomb() -> str:
    lines = ["#define A0 x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]+x[0]"]
    lines += [f"#define A{k} " + "+".join([f"A{k - 1}"] * 10) for k in range(1, 10)]
    return "\n".join(lines) + "\n" + HEAD + "  out[0] = A9;\n}\n"


def constexpr_loop() -> str:
    return ("constexpr unsigned long long f() { unsigned long long s = 0;\n"
            "  for (unsigned long long i = 0; i < 1000000000000ull; ++i) s += i * i;\n  return s; }\n" + HEAD +
            "  constexpr unsigned long long v = f();\n  out[0] = v;\n}\n")


def unrolled() -> str:
    return HEAD + ("  float s = 0;\n#pragma unroll\n  for (int a = 0; a < 4000; ++a)\n#pragma unroll\n"
                   "    for (int b = 0; b < 4000; ++b) s = s * x[a] + y[b];\n  out[0] = s;\n}\n")


def cuda_hand_ins(rng: random.Random):
    yield "h01_endless_loop.cu", HEAD + "  while (true) { ((volatile float*)out)[0] = x[0]; }\n}\n", ENDLESS
    yield "h02_waits_for_itself.cu", (HEAD + "  volatile float* flag = out;\n  while (flag[0] != 12345.0f) { }\n}\n"), ENDLESS
    yield "h03_shared_100_gb.cu", HEAD + "  __shared__ char big[100ull << 30];\n  out[0] = big[n];\n}\n", [
        "compile", "refused", "memory", "fault", "unreadable"]
    yield "h04_device_100_gb.cu", "__device__ char big[100ull << 30];\n" + HEAD + "  out[0] = big[n];\n}\n", [
        "compile", "refused", "memory", "fault", "finding", "mismatch", "unreadable"]
    yield "h05_local_1_gb.cu", HEAD + "  volatile char big[1 << 30];\n  big[n] = 1;\n  out[0] = big[n];\n}\n", [
        "compile", "refused", "memory", "fault", "finding", "mismatch", "unreadable"]
    yield "h06_malloc_in_kernel.cu", (HEAD + "  char* p = 0;\n  for (int k = 0; k < 100000; ++k) {\n"
                                      "    p = (char*)malloc(1 << 20);\n    if (p) p[0] = 1;\n  }\n  out[0] = p ? 1 : 0;\n}\n"
                                      ), ["memory", "fault", "finding", "steps", "time", "mismatch"]
    yield "h07_recursion.cu", ("__device__ __noinline__ float f(float v, int n) { return n < 0 ? v : f(v * 2, n + 1) + v; }\n"
                               + HEAD + "  out[0] = f(x[0], n);\n}\n"), ["fault", "steps", "mismatch", "finding", "refused"]
    yield "h08_deep_templates.cu", deep_templates(), STOPPED
    yield "h09_macro_bomb.cu", macro_bomb(), STOPPED
    yield "h10_constexpr_loop.cu", constexpr_loop(), STOPPED
    yield "h11_unrolled.cu", unrolled(), STOPPED + ["fault", "mismatch", "steps", "finding"]
    yield "h12_include_dev_zero.cu", '#include "/dev/zero"\n' + RIGHT, STOPPED
    yield "h13_include_passwd.cu", '#include "/etc/passwd"\n' + RIGHT, ["compile"]
    yield "h14_include_itself.cu", "#include __FILE__\n" + RIGHT, STOPPED
    yield "h15_ten_megabytes.cu", "// " + "lorem ipsum " * 870_000 + "\n" + RIGHT, STOPPED
    yield "h16_brackets.cu", HEAD + "  out[0] = " + "(" * 200_000 + "x[0]" + ")" * 200_000 + ";\n}\n", STOPPED
    yield "h17_printf.cu", (HEAD + '  for (int k = 0; k < 100000; ++k) printf("%d lorem ipsum dolor sit amet\\n", k);\n'
                            "}\n"), ["steps", "time", "memory", "mismatch"]
    yield "h18_assembler.cu", HEAD + '  asm volatile("garbage %r1;");\n}\n', [
        "compile", "signature", "refused", "unreadable", "fault", "mismatch"]
    yield "h19_no_kernel.cu", "int main() { return 0; }\n", ["signature", "compile"]


def other_files(rng: random.Random):
    yield "h20_empty.cu", b"", ["unreadable"]
    yield "h21_zeros.cu", bytes(4096), ["unreadable"]
    yield "h22_binary.cu", bytes(rng.randrange(256) for _ in range(20_000)), ["unreadable", "compile"]
    yield "h23_copy_1.cu", RIGHT.replace("int i", "int mine_alone"), None
    yield "h24_deep.json", b"[" * 500_000, ["unreadable"]


def python_hand_ins():
    head = NUMBA.replace("from numba import cuda\n", "from numba import cuda\n{}\n")
    refused = STOPPED + ["none"]  # what it does besides may fail without a word; the kernel in it is right
    yield "h25_socket.py", head.format(
        "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=60)"), STOPPED
    yield "h26_forks.py", head.format("import os\nwhile True:\n    os.fork()"), STOPPED
    yield "h27_writes_home.py", head.format(
        "import os\nfor p in (os.path.expanduser('~'), '/home', '/root', '/var/tmp', os.getcwd()):\n    try:\n"
        "        open(os.path.join(p, 'warplens_was_here'), 'w').write('x' * 1000)\n    except OSError:\n        pass"), refused
    yield "h28_sleeps.py", head.format("import time\ntime.sleep(100000)"), STOPPED
    yield "h29_eats_memory.py", head.format("a = []\nwhile True:\n    a.append(bytearray(1 << 26))"), STOPPED


def hostile_hand_ins(challenge: Path):
    """Of bounds_check; against other challenges the copies are no right answers."""
    rng = random.Random(30)
    for name, text, reasons in cuda_hand_ins(rng):
        yield name, text.encode(), {"reasons": reasons, "stars": 0, "hostile": True}
    for name, content, reasons in other_files(rng):
        content = content.encode() if isinstance(content, str) else content
        if reasons is None:  # the same file twice
            what = {"reasons": ["none"], "stars": 3, "hostile": True, "same": "h23_copy_1.cu"}
            if challenge.name != "bounds_check":
                what = {"reasons": ["signature", "mismatch"], "stars": 0, "hostile": True, "same": "h23_copy_1.cu"}
            yield name, content, what
            yield name.replace("1", "2"), content, what
        else:
            yield name, content, {"reasons": reasons, "stars": 0, "hostile": True}
    for name, text, reasons in python_hand_ins():
        yield name, text.encode(), {"reasons": reasons, "stars": None if "none" in reasons else 0, "hostile": True}
