#!/usr/bin/env python3
"""NVIDIA's driver does not answer, as it does for half a minute after a kernel's fault: the window shows its first
picture all the same, and closes. The driver is a library of this test's own.

  tests/tools/stuck_driver_test.py build/release/warplens
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

STUCK_S = 60
FIRST_PICTURE_S = 15  # it takes less than 1, where nothing else is at work
END_S = 25

# One GPU. STUCK says which process waits in cuInit: "all" of them, or the "worker" that runs launches.
DRIVER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is_worker(void) {
  char words[4096];
  FILE* file = fopen("/proc/self/cmdline", "r");
  size_t size = fread(words, 1, sizeof words - 1, file), at = 0;
  fclose(file);
  words[size] = 0;
  for (; at < size; at += strlen(words + at) + 1)
    if (strcmp(words + at, "--device-worker") == 0) return 1;
  return 0;
}
static int init(unsigned flags) {
  const char* stuck = getenv("STUCK");
  fprintf(stderr, "cuInit in the %s\n", is_worker() ? "worker" : "window");
  (void)flags;
  if (strcmp(stuck, "all") == 0 || is_worker()) sleep(@STUCK_S@);
  return 0;
}
static int version(int* number) { return *number = 12040, 0; }
static int count(int* number) { return *number = 1, 0; }
static int get(int* device, int ordinal) { return *device = ordinal, 0; }
static int name(char* words, int size, int device) { (void)device; return snprintf(words, size, "Stuck GPU"), 0; }
static int attribute(int* value, int which, int device) { (void)device; return *value = which == 75 ? 9 : 64, 0; }
static int nothing(void) { return 1; }
int cuGetProcAddress_v2(const char* wanted, void** entry, int number, unsigned long long flags, int* why) {
  (void)number; (void)flags;
  *entry = (void*)nothing;
  if (strcmp(wanted, "cuInit") == 0) *entry = (void*)init;
  if (strcmp(wanted, "cuDriverGetVersion") == 0) *entry = (void*)version;
  if (strcmp(wanted, "cuDeviceGetCount") == 0) *entry = (void*)count;
  if (strcmp(wanted, "cuDeviceGet") == 0) *entry = (void*)get;
  if (strcmp(wanted, "cuDeviceGetName") == 0) *entry = (void*)name;
  if (strcmp(wanted, "cuDeviceGetAttribute") == 0) *entry = (void*)attribute;
  if (why) *why = 0;
  return 0;
}
"""


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def first_picture(program, folder, stuck):
    begun = time.time()
    window = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", program, "--kernel", "vector_add",
         "--exit-after-first-picture"], capture_output=True, text=True, timeout=STUCK_S * 3,
        env={**os.environ, "XDG_CONFIG_HOME": os.path.join(folder, "config"), "LIBGL_ALWAYS_SOFTWARE": "1",
             "WARPLENS_CUDA_DRIVER": os.path.join(folder, "driver.so"), "STUCK": stuck})
    took = time.time() - begun
    assert window.returncode == 0, window.stderr
    assert "cuInit in the window" in window.stderr, "the driver was not asked: " + window.stderr
    found = re.search(r"first picture after (\d+) ms", window.stderr)
    assert found, window.stderr
    picture = int(found.group(1)) / 1000
    print(f"{stuck}: first picture after {picture:.1f} s, ended after {took:.1f} s")
    assert picture < FIRST_PICTURE_S, f"the first picture waited for the driver: {picture} s"
    assert took < END_S, f"the end waited for the driver: {took} s"


def main():
    program = os.path.abspath(sys.argv[1])
    if not shutil.which("xvfb-run") or not shutil.which("cc"):
        skip("xvfb-run and cc are needed")
    if "glfw" not in subprocess.run(["ldd", program], capture_output=True, text=True).stdout:
        skip("this program was built without a window")
    if "--device-worker".encode() not in open(program, "rb").read():
        skip("this program was built without CUDA")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "driver.c")
        with open(source, "w") as file:
            file.write(DRIVER.replace("@STUCK_S@", str(STUCK_S)))
        subprocess.run(["cc", "-shared", "-fPIC", "-o", os.path.join(folder, "driver.so"), source], check=True)
        for stuck in ["all", "worker"]:
            first_picture(program, folder, stuck)


if __name__ == "__main__":
    main()
