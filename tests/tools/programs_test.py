"""The launcher from outside, and the course scripts (tests/programs/course) on the virtual GPU."""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARPLENS = pathlib.Path(sys.argv[1]).resolve()
SKIPPED = 77


def run(*arguments, **more):
    return subprocess.run([WARPLENS, *arguments], capture_output=True, text=True, **more)


# A program that uses the driver by itself: no package is needed.
SCRIPT = """
import ctypes, os, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
context, size, module, function = ctypes.c_void_p(), 4096, ctypes.c_void_p(), ctypes.c_void_p()
address = ctypes.c_uint64()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
data = (ctypes.c_uint32 * (size // 4))()
assert cuda.cuMemAlloc_v2(ctypes.byref(address), size) == 0
assert cuda.cuMemcpyHtoD_v2(address, data, size) == 0
if "wrong" in sys.argv:
    cuda.cuMemFree_v2(address)
    cuda.cuMemFree_v2(address)
print("out", flush=True)
sys.exit(int(os.environ.get("LEAVES", "0")))
"""


def test_lines():
    """The launcher's sitecustomize.py loads the user's own, and is not in sys.path."""
    with tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder) / "sitecustomize.py"
        own.write_text("import builtins\nbuiltins.mine = 42\n", encoding="utf-8")
        code = "import sys, sitecustomize; print(mine, sitecustomize.__file__, [p for p in sys.path if 'warplens' in p])"
        done = run("program", "--quiet", "--", sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": folder})
        assert done.stdout == f"42 {own} []\n", (done.stdout, done.stderr)
        # One that fails says so as it would without the launcher.
        own.write_text("raise ValueError('mine')\n", encoding="utf-8")
        done = run("program", "--quiet", "--", sys.executable, "-c", "print(1)", env={**os.environ, "PYTHONPATH": folder})
        alone = subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, text=True,
                               env={**os.environ, "PYTHONPATH": folder})
        assert done.stdout == alone.stdout and "ValueError: mine" in done.stderr, (done.stdout, done.stderr)


# A package with a cuda.jit that returns the options which it got.
DECORATOR = "def {}(function=None, *more, **options):\n    return options\n"


def test_lines_of_kernels():
    """cuda.jit of Numba and of Numba-CUDA-MLIR gets lineinfo=True, unless the script says it or `debug`, or --no-lines."""
    for package, jit, config in (("numba.cuda", "jit", "numba.cuda.core.config"),
                                 ("numba_cuda_mlir", "mlir_jit", "numba_cuda_mlir.numba_cuda.core.config")):
        with tempfile.TemporaryDirectory() as folder:
            modules = {f"{package}.decorators": DECORATOR.format(jit), config: "CUDA_DEBUGINFO_DEFAULT = 0\n"}
            for name, text in modules.items():
                path = pathlib.Path(folder) / (name.replace(".", "/") + ".py")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            code = (f"import {config} as config\nfrom {package}.decorators import {jit} as jit\n"
                    "print(jit(), jit(lineinfo=False), jit(debug=True), jit(lambda: 0))\n"
                    "config.CUDA_DEBUGINFO_DEFAULT = 1\nprint(jit())\n")
            script = pathlib.Path(folder) / "script.py"
            script.write_text(code, encoding="utf-8")
            done = run("program", "--quiet", "--", sys.executable, script)
            lines = {"lineinfo": True}
            assert done.stdout == f"{lines} {{'lineinfo': False}} {{'debug': True}} {lines}\n{{}}\n", (package, done.stdout, done.stderr)
            done = run("program", "--quiet", "--no-lines", "--", sys.executable, script)
            assert done.stdout.startswith("{} "), (package, done.stdout, done.stderr)


# A package that compiles text: it refuses one with variables or with REFUSED at a location, and all of WRONG.
NVVM = """
def compile_ir(llvmir, **options):
    text = llvmir if isinstance(llvmir, str) else "".join(llvmir)
    if "call void @llvm.dbg" in text or "REFUSED !dbg" in text or "WRONG" in text:
        raise RuntimeError("Symbol name")
    return text
"""


def test_refused_lines():
    """What NVIDIA's compiler refuses with lines is compiled without, and a sentence says so; variables are left out at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "numba" / "cuda" / "cudadrv" / "nvvm.py"
        path.parent.mkdir(parents=True)
        path.write_text(NVVM, encoding="utf-8")
        script = pathlib.Path(folder) / "script.py"
        unit = "!2 = DICompileUnit(emissionKind: DebugDirectivesOnly)\n!3 = !DISubprogram(line: 4, name: \"fill\", scope: !1)\n"
        script.write_text(f"""from numba.cuda.cudadrv.nvvm import compile_ir
unit = {unit!r}
print(compile_ir("  call void @llvm.dbg.value(metadata i32 1), !dbg !4\\nadd !dbg !3\\n" + unit) == "\\nadd !dbg !3\\n" + unit)
print(compile_ir(["REFUSED !dbg !3\\n", unit]) == "REFUSED\\n" + unit)
for text in ("REFUSED !dbg !3", "WRONG" + unit):
    try:
        print(compile_ir(text))
    except RuntimeError as error:
        print(error)
""", encoding="utf-8")
        done = run("program", "--quiet", "--", sys.executable, script)
        assert done.stdout == "True\nTrue\nSymbol name\nSymbol name\n", (done.stdout, done.stderr)
        assert done.stderr == ("warplens: The Numba kernel fill has no line information, so messages about it name no line: NVIDIA's "
                               "compiler refused it with lines (Symbol name), and compiled it without.\n"), done.stderr


def test_linker():
    """With Numba-CUDA-MLIR and NVIDIA's linker in the Python environment, programs find ours in front of it; else one with nothing
    in it, so that numba-cuda hands PTX to the driver."""
    with tempfile.TemporaryDirectory() as folder:
        packages = pathlib.Path(folder) / "lib" / "python3.11" / "site-packages"
        nvidia = packages / "nvidia" / "cu13" / "lib" / "libnvJitLink.so.13"
        show = pathlib.Path(folder) / "bin" / "show"
        for path, text in ((nvidia, ""), (show, "#!/bin/sh\necho \"$WARPLENS_NVJITLINK_13\"\nIFS=:\nreadlink -f $LD_PRELOAD\n")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        show.chmod(0o755)
        ours = [str(WARPLENS.parent / "driver" / kind / "libnvJitLink.so.13") for kind in ("empty", "linker")]
        plain = {name: value for name, value in os.environ.items() if name not in ("CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV")}
        said = run("program", "--quiet", "--", show, env=plain).stdout.splitlines()
        assert said[0] == "" and ours[0] in said and ours[1] not in said, said
        (packages / "numba_cuda_mlir").mkdir()
        (packages / "numba_cuda_mlir" / "__init__.py").write_text("", encoding="utf-8")
        said = run("program", "--quiet", "--", show, env=plain).stdout.splitlines()
        assert said[0] == str(nvidia) and ours[1] in said and ours[0] not in said, said


COUNTING_DEVICES = """
import ctypes
cuda, count, names = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(), []
assert cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0
for device in range(count.value):
    name = ctypes.create_string_buffer(64)
    assert cuda.cuDeviceGetName(name, 64, device) == 0
    names.append(name.value.decode())
print(", ".join(names))
"""


def test_launcher():
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script.py"
        script.write_text(SCRIPT, encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        report = pathlib.Path(folder) / "report.json"
        done = run("program", "--device", "h200", "--json", str(report), "--", sys.executable, str(script))
        assert done.returncode == 0, done.stderr
        assert done.stdout == "out\n", done.stdout
        assert "NVIDIA H200" in done.stderr and "host to device" in done.stderr, done.stderr
        summary = json.loads(report.read_text(encoding="utf-8"))
        assert summary["copies"] == [
            {"direction": "host to device", "copies": 1, "bytes": 4096, "device_us": summary["copies"][0]["device_us"]}]
        assert summary["allocations"] == 1 and summary["processes"] == 1 and summary["findings"] == []
        # What is not counted has no modelled time.
        script.write_text(COUNTING, encoding="utf-8")
        for options, is_known in ((("--observe", "counters"), True), (("--observe", "none"), False), (("--clock", "host"), False)):
            done = run("program", *options, "--json", str(report), "--", sys.executable, str(script))
            assert done.returncode == 0, done.stderr
            kernels = json.loads(report.read_text(encoding="utf-8"))["kernels"]
            assert kernels and all((kernel["device_us"] is not None) == is_known for kernel in kernels), (options, kernels)
            assert all((kernel["counters"] is not None) == is_known for kernel in kernels), (options, kernels)
            assert not is_known or kernels[0]["counters"]["warp_instructions"] > 0, kernels
            assert ("not known" in done.stderr) != is_known, (options, done.stderr)
        script.write_text(SCRIPT, encoding="utf-8")
        # The exit status is the program's own; nothing of ours is said under --quiet.
        done = run("program", "--quiet", "--", sys.executable, str(script), env={**os.environ, "LEAVES": "5"})
        assert done.returncode == 5 and done.stderr == "", (done.returncode, done.stderr)
        done = run("program", "--strict", "--", sys.executable, str(script), "wrong")
        assert done.returncode == 1 and "freed twice" in done.stderr, (done.returncode, done.stderr)
        # `run script.py` is the same, with arguments that look like ours.
        done = run("run", str(script), "wrong", "--check")
        assert done.returncode == 0 and "freed twice" in done.stderr, (done.returncode, done.stderr)
        done = run("program", "--", "no-such-program-anywhere")
        assert done.returncode == 3 and "cannot be started" in done.stderr, done.stderr
        assert run("program").returncode == 2
        assert run("program", "--device", "nobody", "--", "true").returncode == 2
        for devices, why in (("0", "a whole number from 1 to 16"), ("17", "a whole number from 1 to 16"), ("", "a whole number"),
                             ("h100,nobody", 'No device is called "nobody"'), ("h100,,t4", "No device was named")):
            done = run("program", "--devices", devices, "--", "true")
            assert done.returncode == 2 and why in done.stderr, (devices, done.stderr)
        done = run("program", "--device", "t4", "--devices", "h100,t4", "--", "true")
        assert done.returncode == 2 and "leave --device out" in done.stderr, done.stderr
        done = run("program", "--device", "cuda:0", "--devices", "2", "--", "true")
        assert done.returncode != 0 and "cuda:0" in done.stderr, done.stderr
        script.write_text(COUNTING_DEVICES, encoding="utf-8")
        for options, found in ((("--devices", "h100,t4"), "NVIDIA H100 80GB HBM3, Tesla T4\n"),
                               (("--devices", "2", "--device", "t4"), "Tesla T4, Tesla T4\n"), (("--devices", "1"), "NVIDIA GeForce RTX 3060\n")):
            done = run("program", "--quiet", *options, "--", sys.executable, str(script))
            assert done.stdout == found, (options, done.stdout, done.stderr)
        done = run("program", "--steps", "-1", "--", "true")
        assert done.returncode == 2 and "--steps -1: must be a whole number" in done.stderr, done.stderr
        done = run("program", "--", "sh", "-c", "kill -TERM $$")
        assert done.returncode == 128 + 15
        assert "did not use CUDA" in done.stderr
        nothing_new(left)


# Launches a kernel again and again until the process is ended.
ENDLESS = SCRIPT.replace('print("out", flush=True)', """
ptx = b".version 7.0\\n.target sm_50\\n.address_size 64\\n.visible .entry k()\\n{\\nret;\\n}\\n"
assert cuda.cuModuleLoadData(ctypes.byref(module), ptx) == 0
assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k") == 0
print("ready", os.getpid(), flush=True)
while True:
    assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0
    time.sleep(0.001)  # thousands of launches would be read as JSON
""")


def nothing_new(left):
    now = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("warplens-") and name not in left]
    assert now == [], f"left behind: {now}"


def test_killed():
    """A script that is killed between two launches, and a launcher that is told to end: what was launched is counted, and
    no file stays."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "endless.py"
        # It has launched when it is killed, however busy the machine is.
        first = "for _ in range(10): assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None) == 0\n"
        script.write_text(ENDLESS.replace('print("ready"', first + 'print("ready"'), encoding="utf-8")
        for whom, what in (("script", signal.SIGKILL), ("script", signal.SIGTERM), ("launcher", signal.SIGTERM),
                           ("launcher", signal.SIGINT), ("launcher", signal.SIGHUP), ("both", signal.SIGTERM),
                           ("both", signal.SIGINT)):
            left = sorted(os.listdir(tempfile.gettempdir()))
            file = pathlib.Path(folder) / f"{whom}-{what.name}.warplens"
            running = subprocess.Popen([WARPLENS, "program", "--record", file, "--", sys.executable, str(script)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            child = int(running.stdout.readline().split()[1])
            time.sleep(0.3)
            if whom == "both":  # as a terminal does for Ctrl+C
                os.killpg(running.pid, what)
            else:
                os.kill(child if whom == "script" else running.pid, what)
            said = running.communicate(timeout=120)[1]
            # Python ends with 1 where Ctrl+C came.
            assert running.returncode in (128 + what, 1, -what), (whom, what, running.returncode, said)
            assert "\n  k " in said, (whom, what, said)
            assert not is_running(child), f"{whom}, {what}: the script still runs"
            nothing_new(left)
            launches = launches_in(file)
            counted = int(re.search(r"\n  k +([\d,]+)", said)[1].replace(",", ""))
            assert len(launches) == counted, (whom, what, len(launches), counted)
            assert [launch["recorded"] for launch in launches[:4]] == [True, True, True, False], launches[:4]
        names = {path.name for path in pathlib.Path(folder).iterdir()}
        assert names == {"endless.py", "both-SIGINT.warplens", "both-SIGTERM.warplens", "launcher-SIGHUP.warplens",
                         "launcher-SIGINT.warplens", "launcher-SIGTERM.warplens", "script-SIGKILL.warplens",
                         "script-SIGTERM.warplens"}, names


def is_running(process):
    """A process that nobody has waited for yet is not."""
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_for(what, limit_s=20):
    begin = time.monotonic()
    while not what():
        assert time.monotonic() - begin < limit_s, "it did not come"
        time.sleep(0.02)


# The program's own processes; two of them ignore requests to end.
FAMILY = """
import os, signal, subprocess, sys, time
if len(sys.argv) == 1:
    made = [subprocess.Popen([sys.executable, __file__, str(number)]) for number in range(2)]
    print("ready", os.getpid(), *[one.pid for one in made], flush=True)
else:
    signal.signal(signal.SIGTERM, signal.SIG_IGN if STUBBORN else signal.SIG_DFL)
time.sleep(600)
"""


def test_family():
    """A launcher that is told to end, or killed, leaves no process of the program."""
    for stubborn, what in ((False, signal.SIGTERM), (False, signal.SIGKILL), (True, signal.SIGKILL)):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "family.py"
            script.write_text(f"STUBBORN = {stubborn}\n{FAMILY}", encoding="utf-8")
            running = subprocess.Popen([WARPLENS, "program", "--quiet", "--", sys.executable, str(script)],
                                       stdout=subprocess.PIPE, text=True, start_new_session=True)
            family = [int(word) for word in running.stdout.readline().split()[1:]]
            assert len(family) == 3
            time.sleep(0.5)  # until they have said what they ignore
            running.send_signal(what)
            wait_for(lambda: not any(map(is_running, family)))
            running.stdout.close()
            assert running.wait(20) == (128 + what if what == signal.SIGTERM else -what)


# What tests/programs/run.py runs is in sessions of their own.
RUNNER = """
import concurrent.futures, sys
sys.path.insert(0, sys.argv[1])
import suites
suites.end_with_children()
command = ["sh", "-c", "sleep 600 & echo $$ $! >>" + sys.argv[2] + "; wait"]
try:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: suites.in_group(command, {}, 600), range(6)))
except suites.Ended:
    sys.exit(9)
"""


def test_runner():
    """The runner of suites leaves nothing running where it is told to end."""
    for what in (signal.SIGTERM, signal.SIGINT):
        with tempfile.TemporaryDirectory() as folder:
            said = pathlib.Path(folder) / "said"
            running = subprocess.Popen([sys.executable, "-B", "-c", RUNNER, str(ROOT / "tests" / "programs"), str(said)])
            wait_for(lambda: said.exists() and len(said.read_text(encoding="utf-8").split()) == 4)
            family = [int(word) for word in said.read_text(encoding="utf-8").split()]
            running.send_signal(what)
            assert running.wait(30) == 9
            wait_for(lambda: not any(map(is_running, family)))
            assert len(said.read_text(encoding="utf-8").split()) == 4, "another one was started"


def test_killed_launcher():
    """What was recorded until the launcher was killed is in its folder, which the next one names and `recording` saves."""
    with tempfile.TemporaryDirectory() as folder:
        script, file = pathlib.Path(folder) / "endless.py", pathlib.Path(folder) / "saved.warplens"
        script.write_text(ENDLESS, encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        running = subprocess.Popen([WARPLENS, "program", "--quiet", "--record", file, "--", sys.executable, str(script)],
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        child = int(running.stdout.readline().split()[1])
        time.sleep(0.3)
        [kept] = [pathlib.Path(tempfile.gettempdir()) / name for name in os.listdir(tempfile.gettempdir())
                  if name.startswith("warplens-") and name not in left]
        done = run("recording", str(kept), "--out", str(file))
        assert done.returncode == 2 and "still runs" in done.stderr, done.stderr
        running.kill()
        running.wait()
        running.stdout.close()
        wait_for(lambda: not is_running(child))
        time.sleep(2.5)  # what watches over the program ends, too
        assert not file.exists() and kept.exists()
        done = run("program", "--", "true")
        assert done.returncode == 0 and f"warplens recording {kept} --out" in done.stderr, done.stderr
        assert str(kept) not in run("program", "--quiet", "--", "true").stderr
        done = run("recording", str(kept))
        assert done.returncode == 2 and "--out" in done.stderr, done.stderr
        done = run("recording", str(kept), "--out", str(file))
        assert done.returncode == 0 and "until it was killed" in done.stderr, done.stderr
        launches = launches_in(file)
        assert len(launches) > 3 and [launch["recorded"] for launch in launches[:4]] == [True, True, True, False]
        report = json.loads(run("recording", str(file), "--json", "-").stdout)
        assert report["exit_status"] is None and report["command"][1] == str(script), report
        nothing_new(left)
        # Without --record there is nothing to save: the next run removes what is left.
        running = subprocess.Popen([WARPLENS, "program", "--quiet", "--", sys.executable, str(script)],
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        running.stdout.readline()
        running.kill()
        running.wait()
        running.stdout.close()
        time.sleep(2.5)
        assert run("program", "--", "true").returncode == 0
        nothing_new(left)
        done = run("recording", folder)
        assert done.returncode == 2 and "is a folder" in done.stderr, done.stderr


def launches_in(file):
    done = run("recording", file, "--json", "-")
    assert done.returncode == 0, done.stderr
    return [event for event in json.loads(done.stdout)["events"] if event["event"] == "launch"]


# Workers that launch side by side; one of them is killed while it runs.
WORKERS = """
import multiprocessing, os, signal, sys
def work(number):
    source = WORK.replace("while True:", "for i in range(200):").replace('print("ready", os.getpid(), flush=True)', "")
    if number == 3:
        source = source.replace("for i in range(200):", "for i in range(20):\\n    if i == 10: os.kill(os.getpid(), signal.SIGKILL)")
    exec(source, {"__name__": "worker", "signal": signal})
if __name__ == "__main__":
    for how in ("spawn", "fork"):
        made = [multiprocessing.get_context(how).Process(target=work, args=(number,)) for number in range(4)]
        for one in made: one.start()
        for one in made: one.join()
        print(sorted(one.exitcode for one in made), *[one.pid for one in made])
"""


def test_workers():
    """Processes side by side, of which some are killed: the recording has what each of them launched."""
    with tempfile.TemporaryDirectory() as folder:
        script, file = pathlib.Path(folder) / "workers.py", pathlib.Path(folder) / "workers.warplens"
        script.write_text(f"WORK = {ENDLESS!r}\n{WORKERS}", encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        done = run("program", "--record", file, "--", sys.executable, str(script), timeout=120)
        groups = [line.partition("]") for line in done.stdout.splitlines()]
        assert done.returncode == 0 and [ended for ended, *_ in groups] == ["[-9, 0, 0, 0"] * 2, (done.stdout, done.stderr)
        nothing_new(left)
        launches = launches_in(file)
        by_process = {}
        for launch in launches:
            by_process.setdefault(launch["process"], []).append(launch)
        assert sorted(map(len, by_process.values())) == [10, 10, 200, 200, 200, 200, 200, 200], done.stderr
        for made in by_process.values():
            assert [launch["recorded"] for launch in made[:4]] == [True, True, True, False]
        # This machine's clock is the same for all: the second four began when the first had ended.
        first, second = [[launch["at_us"] for number in numbers.split() for launch in by_process[int(number)]]
                         for *_, numbers in groups]
        assert max(first) < min(second), (max(first), min(second))
        # The summary, the list and its JSON give the same advice.
        report = json.loads(run("recording", file, "--json", "-").stdout)
        text = run("recording", file).stdout
        assert report["advice"], "launches of one block are small"
        for line in report["advice"]:
            assert line in done.stderr and line in text, (line, done.stderr)


# Launches and counts what came back.
COUNTING = SCRIPT.replace('print("out", flush=True)', """
ptx = (b".version 7.0\\n.target sm_50\\n.address_size 64\\n.visible .entry k(.param .u64 a)\\n{\\n.reg .b64 %a;\\n.reg .b32 %x;\\n"
       b"ld.param.u64 %a, [a];\\nld.global.u32 %x, [%a];\\nadd.u32 %x, %x, 1;\\nst.global.u32 [%a], %x;\\nret;\\n}\\n")
assert cuda.cuModuleLoadData(ctypes.byref(module), ptx) == 0
assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"k") == 0
arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(address), ctypes.c_void_p))
for i in range(4):
    assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None) == 0
assert cuda.cuMemcpyDtoH_v2(data, address, size) == 0
print(data[0], os.environ.get("CUDA_VISIBLE_DEVICES"), flush=True)
""")


def test_terminal():
    """In a terminal: Ctrl+C ends the program, and so does a terminal that is closed; what it did is said and recorded. Where
    the launcher itself is killed, the program ends and what it did can be saved."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "endless.py"
        script.write_text(ENDLESS, encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        for what in ("Ctrl+C", "closed", "killed"):
            file = pathlib.Path(folder) / f"{what}.warplens"
            launcher, terminal = pty.fork()
            if launcher == 0:
                os.execv(WARPLENS, [str(WARPLENS), "program", "--record", str(file), "--", sys.executable, str(script)])
            said = b""
            while b"ready" not in said or not said.endswith(b"\n"):
                said += os.read(terminal, 4096)
            child = int(re.search(rb"ready (\d+)", said)[1])
            time.sleep(0.3)
            if what == "Ctrl+C":
                os.write(terminal, b"\x03")
                try:
                    while piece := os.read(terminal, 4096):
                        said += piece
                except OSError:  # the terminal's other end is closed
                    pass
                assert b"\n  k " in said.replace(b"\r", b""), said
            elif what == "closed":
                os.close(terminal)
            else:
                os.kill(launcher, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(launcher, 0)[1])
            assert status in (1, 128 + signal.SIGINT, 128 + signal.SIGHUP, -signal.SIGKILL), (what, status, said)
            assert what == "killed" or not is_running(child), what
            wait_for(lambda: not is_running(child))
            if what == "killed":
                [kept] = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("warplens-") and name not in left]
                assert not file.exists()
                done = run("recording", str(pathlib.Path(tempfile.gettempdir()) / kept), "--out", str(file))
                assert done.returncode == 0, done.stderr
            assert [launch["recorded"] for launch in launches_in(file)[:4]] == [True, True, True, False], what
            nothing_new(left)
            if what != "closed":
                os.close(terminal)


def test_real_gpu():
    """A program on a GPU of this machine, whose driver is ours here: it is not told apart by what the launcher does."""
    with tempfile.TemporaryDirectory() as folder:
        script, file = pathlib.Path(folder) / "script.py", pathlib.Path(folder) / "real.warplens"
        script.write_text(COUNTING, encoding="utf-8")
        left = sorted(os.listdir(tempfile.gettempdir()))
        gpu = {**os.environ, "WARPLENS_CUDA_DRIVER": str(WARPLENS.parent / "driver" / "libcuda.so.1")}
        gpu.pop("CUDA_VISIBLE_DEVICES", None)
        done = run("program", "--device", "cuda:0", "--record", file, "--", sys.executable, str(script), env=gpu)
        assert done.returncode == 0 and done.stdout == "4 0\n", (done.stdout, done.stderr)
        assert "times measured on it" in done.stderr and "virtual" not in done.stderr, done.stderr
        launches = launches_in(file)
        assert [launch["recorded"] for launch in launches] == [True, True, True, False], launches
        assert all(launch["device_us"] > 0 for launch in launches), launches
        for launch in launches[:3]:
            done = run("run", file, "--recorded", str(launch["number"]), "--json", "-")
            report = json.loads(done.stdout)
            assert report["status"] == "ok" and report["checks"] and all(check["equal"] for check in report["checks"]), report
        # NVIDIA's linker is hidden only on request: not every program starts without it.
        for options, hidden in (((), False), (("--record", file), False), (("--record", file, "--ptx"), True)):
            done = run("program", "--device", "cuda:0", *options, "--", "sh", "-c", "echo $LD_PRELOAD", env=gpu)
            assert ("nvJitLink" in done.stdout) == hidden, (options, done.stdout, done.stderr)
        # Its GPU is the first of those that were visible.
        done = run("program", "--device", "cuda:0", "--", sys.executable, str(script), env={**gpu, "CUDA_VISIBLE_DEVICES": "3,1"})
        assert done.stdout == "4 3\n", (done.stdout, done.stderr)
        for options, status, words in ((("--device", "cuda:1"), 3, "this machine has cuda:0"),
                                       (("--device", "cuda:0", "--sanitize", "all"), 2, "--sanitize is for the virtual GPU"),
                                       (("--device", "cuda:0", "--clock", "host"), 2, "--clock is for the virtual GPU"),
                                       (("--device", "cuda:0", "--observe", "none"), 2, "--observe is for the virtual GPU")):
            done = run("program", *options, "--", sys.executable, str(script), env=gpu)
            assert done.returncode == status and words in done.stderr and done.stdout == "", (done.returncode, done.stderr)
        done = run("program", "--device", "cuda:0", "--", "true", env={**os.environ, "WARPLENS_CUDA_DRIVER": "none"})
        assert done.returncode == 3 and "Real GPUs are left alone" in done.stderr, done.stderr
        nothing_new(left)


def main():
    if not (WARPLENS.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: this build has no driver for programs")
        return SKIPPED
    # In a folder of their own: other tests run programs at the same time.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        test_lines()
        test_lines_of_kernels()
        test_refused_lines()
        test_linker()
        test_launcher()
        test_killed()
        test_family()
        test_runner()
        test_killed_launcher()
        test_workers()
        test_terminal()
        test_real_gpu()
    os.environ.pop("TMPDIR")
    tempfile.tempdir = None
    programs = ROOT / "tests" / "programs"
    done = subprocess.run([sys.executable, programs / "run.py", WARPLENS, "course"])
    return done.returncode or subprocess.run([sys.executable, programs / "faults.py", WARPLENS]).returncode


sys.exit(main())
