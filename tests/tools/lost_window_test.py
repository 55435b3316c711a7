#!/usr/bin/env python3
"""The graphics driver gives the window up: the program begins anew with the session that it had, and gives up when
that happens twice in a row. The driver is played by a library that is loaded before GLFW.

  tests/tools/lost_window_test.py build/release/warplens
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned status(void) { return unlink(getenv("LOSE")) == 0 ? 0x8253 : 0; }  /* GL_GUILTY_CONTEXT_RESET */
void* glfwGetProcAddress(const char* name) {
  if (strcmp(name, "glGetGraphicsResetStatus") == 0) return (void*)status;
  return ((void* (*)(const char*))dlsym(RTLD_NEXT, "glfwGetProcAddress"))(name);
}
int glfwGetWindowAttrib(void* window, int attribute) {
  if (attribute == 0x00022005) return 0x00031002;  /* GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET */
  return ((int (*)(void*, int))dlsym(RTLD_NEXT, "glfwGetWindowAttrib"))(window, attribute);
}
"""


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def wait_for(holds, what, seconds=40):
    end = time.time() + seconds
    while not (value := holds()):
        assert time.time() < end, f"no {what} after {seconds} s"
        time.sleep(0.1)
    return value


def main():
    program = os.path.abspath(sys.argv[1])
    if not shutil.which("xvfb-run") or not shutil.which("cc"):
        skip("xvfb-run and cc are needed")
    if "glfw" not in subprocess.run(["ldd", program], capture_output=True, text=True).stdout:
        skip("this program was built without a window")
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        with open(at("shim.c"), "w") as file:
            file.write(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", at("shim.so"), at("shim.c"), "-ldl"], check=True)
        log = open(at("log"), "w+")
        window = subprocess.Popen(
            ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", "env", "LD_PRELOAD=" + at("shim.so"), program,
             "--kernel", "vector_add", "--block", "64"], stdout=log, stderr=log,
            env={**os.environ, "XDG_CONFIG_HOME": at("config"), "LOSE": at("lose"), "LIBGL_ALWAYS_SOFTWARE": "1",
                 "WARPLENS_CUDA_DRIVER": "none"})

        def kept():
            config = os.path.join(at("config"), "warplens")
            names = [n for n in os.listdir(config) if n.startswith("drafts-") and n.endswith(".json")] if os.path.isdir(config) else []
            return [os.path.join(config, n) for n in names]

        def printed():
            with open(at("log")) as file:
                return file.read()

        def lose():
            open(at("lose"), "w").close()

        try:
            first = wait_for(kept, "session kept")
            assert len(first) == 1, first
            begun = time.time()
            lose()
            wait_for(lambda: "it is opened again" in printed(), "second window")
            # The same process keeps its session, even without a request now.
            wait_for(lambda: kept() == first and os.path.getmtime(first[0]) > begun, "session kept by the new window")
            with open(first[0]) as file:
                text = file.read()
            assert "vector_add" in text and re.search(r"\[\s*64,\s*1,\s*1\s*\]", text), text
            json.loads(text)
            assert window.poll() is None
            lose()
            assert window.wait(40) == 1, window.returncode
            assert "gave the window up twice" in printed(), printed()
            assert kept() == first, "what was chosen is there at the next start"
        finally:
            if window.poll() is None:
                window.terminate()
                window.wait(10)
    print("the window was lost, came back with its session, and was given up the second time")


if __name__ == "__main__":
    main()
