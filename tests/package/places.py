"""Where packages are tried: a prefix that takes the network away, and fresh Debian systems in a folder. And with what."""
import os
import pathlib
import shutil
import subprocess
import time

OWN = ("// warplens: out=float32[n] zero, n=100, grid=1, block=128\n"
       "__global__ void own(float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = threadIdx.x; }\n")
# A course's first program.
PROGRAM = """#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = sinf(a[i]) + b[i];
}

int main() {
  constexpr int n = 1000;
  float *a, *b, *sum;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&sum, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = 0, b[i] = i;
  add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
  std::printf("%s, sum[999] = %g\\n", cudaGetErrorString(cudaDeviceSynchronize()), sum[999]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
}
"""
failures = []  # sentences, of every check


def megabytes(path):
    if path.is_file():
        return path.stat().st_size / 1e6
    return sum(file.lstat().st_size for file in path.rglob("*") if not file.is_dir()) / 1e6


def newest(folder, pattern):
    """What was built last: earlier ones may have another version or another tag."""
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime)


class Place:
    """Where commands run, and how."""

    def __init__(self, name, prefix, environment):
        self.name, self.prefix, self.environment = name, prefix, environment

    def run(self, what, *command, expect=0, says="", limit=600):
        started = time.monotonic()
        try:
            done = subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=limit,
                                  env=self.environment, check=False)
            status, said = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            status, said = "no", f"nothing within {limit} s"
        right = status == expect and says in said
        print(f"  {'ok  ' if right else 'FAIL'} {what:<44}{time.monotonic() - started:8.2f} s", flush=True)
        if not right:
            failures.append(f"{self.name}: {what}")
            print(f"       status {status}, wanted {expect} and {says!r}:\n{said[-2000:]}")
        return said


def offline():
    """A prefix that takes the network away; none where this machine does not let us."""
    prefix = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]
    works = shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    if not works:
        print("  skipped: the network cannot be taken away here, so an offline start is not tried")
    return prefix if works else []


def left_over(home):
    """What installing, running and removing left in the user's home."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if not path.is_dir())


def debian(folder, *packages, suite="bookworm", mirror=()):
    """A fresh Debian 12, or another suite from a mirror."""
    sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
    if not mirror and sources.exists() and suite in sources.read_text(encoding="utf-8"):
        mirror = [sources]
    subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", f"--include={','.join(('tar', *packages))}",
                    "--customize-hook=useradd --root \"$1\" -m student", suite, folder, *mirror], check=True)


# In the folder as a root of its own, and not by chroot, in which a sandbox may not begin. What is mounted here is gone
# with the last process.
PIVOT = """mount --bind "$0" "$0" && mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && cd "$0" && pivot_root . mnt &&
umount -l /mnt && exec setpriv --reuid=student --regid=student --clear-groups env -i HOME=/home/student PATH=/usr/bin:/bin \
LIBGL_ALWAYS_SOFTWARE=1 "$@" """


class Root:
    """A root folder to run in, as a user without rights."""

    def __init__(self, folder, name):
        self.folder, self.home = folder, folder / "home/student"
        self.before = set(left_over(self.home))
        self.place = Place(name, [*offline(), "unshare", "-m", "sh", "-c", PIVOT, str(folder)], None)

    def bring(self, *files):
        for file in files:
            shutil.copy(file, self.home)
        subprocess.run(["chroot", self.folder, "chown", "-R", "student:", "/home/student"], check=True)
