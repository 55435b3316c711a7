"""Where the system gives the program little memory, it says so in a sentence and is never killed."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

BIN = os.path.abspath(sys.argv[1])
# As much local memory as a variable may have: a block of 1,024 threads takes 512 MiB.
PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry deep(.param .u64 out)
{
.reg .b32 %r<2>;
.reg .b64 %d<2>;
.local .align 4 .b8 room[524288];
mov.u32 %r0, %tid.x;
st.local.u32 [room], %r0;
ld.param.u64 %d0, [out];
st.global.u32 [%d0], %r0;
ret;
}
"""
LAUNCH = {"ptx": "deep.ptx", "grid": [9], "block": [1024], "buffers": [{"name": "out", "bytes": 4096, "dtype": "uint32"}],
          "args": [{"buffer": "out"}]}
# NVIDIA's linker has memory of its own to run out of, and the C library reserves some for each thread.
ENVIRONMENT = {**os.environ, "WARPLENS_PTXAS": "/none", "WARPLENS_PTXAS12": "/none", "WARPLENS_NVRTC": "/none", "WARPLENS_CLANG": "/none", "MALLOC_ARENA_MAX": "1"}
failures = []


def run(mebibytes, *arguments, cwd=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([BIN, *arguments], capture_output=True, text=True, cwd=cwd, preexec_fn=limit, timeout=200,
                          env=ENVIRONMENT)


def expect(done, what, statuses, sentence):
    if done.returncode not in statuses or sentence not in done.stderr:
        failures.append(f"{what}: status {done.returncode}, {done.stderr.strip()[-500:]!r}")


def main():
    commands = pathlib.Path(BIN).parent / "compile_commands.json"
    if commands.is_file() and "-fsanitize=" in commands.read_text(encoding="utf-8"):
        print("SKIPPED: a sanitizer's own memory is larger than any limit")
        return 77
    least = next(mebibytes for mebibytes in range(16, 4096, 16) if run(mebibytes, "--version").returncode == 0)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "deep.ptx").write_text(PTX, encoding="utf-8")
        pathlib.Path(folder, "launch.json").write_text(json.dumps(LAUNCH), encoding="utf-8")
        for command in (["run", "launch.json"], ["run", "launch.json", "--sanitize", "all"], ["trace", "launch.json"]):
            # Too little for a block, in steps: it may end anywhere.
            for more in (0, 1, 2, 4, 8, 16, 32, 64, 128, 256):
                done = run(least + more, *command, cwd=folder)
                expect(done, f"{' '.join(command)} with {least + more} MiB", (1, 2), "memory")
        # Enough for one block, on more cores than one.
        expect(run(least + 900, "run", "launch.json", "--workers", "8", cwd=folder), "enough for one block", (0,), "")
    print("\n".join(failures) or f"it ends by itself with {least} MiB and more")
    return 1 if failures else 0


sys.exit(main())
