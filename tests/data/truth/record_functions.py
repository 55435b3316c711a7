#!/usr/bin/env python3
"""Runs every program of tests/data/truth/functions on the GPU of this machine and keeps what it printed and wrote.

    record_functions.py SOURCE_DIR OUT_DIR      needs nvcc on the PATH

A program's first line says how it is launched: // grid G block B words W [cooperative]. NAME.expected has the end of
the run, what was printed (standard output and error), and the words that the kernel wrote.
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

MAIN = """
#include <cstdio>
#include <vector>
int main() {
  cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);
  unsigned* out = nullptr;
  cudaMalloc(&out, WORDS * 4);
  cudaMemset(out, 0, WORDS * 4);
  void* arguments[] = {&out};
  cudaError_t e = COOPERATIVE ? cudaLaunchCooperativeKernel((const void*)&run, dim3(GRID), dim3(BLOCK), arguments, 0, 0)
                              : cudaLaunchKernel((const void*)&run, dim3(GRID), dim3(BLOCK), arguments, 0, 0);
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  fflush(stdout);
  std::vector<unsigned> words(WORDS);
  if (e == cudaSuccess) cudaMemcpy(words.data(), out, WORDS * 4, cudaMemcpyDeviceToHost);
  FILE* f = fopen(RESULT, "w");
  fprintf(f, "%s\\n", cudaGetErrorName(e));
  for (unsigned i = 0; e == cudaSuccess && i < WORDS; ++i) fprintf(f, "%08x%c", words[i], i % 8 == 7 ? '\\n' : ' ');
  fclose(f);
}
"""


def launch_of(path):
    words = path.read_text().split("\n")[0].split()[1:]
    values = dict(zip(words[0:6:2], words[1:6:2]))
    return values | {"cooperative": "cooperative" in words}


def build(path, folder):
    launch = launch_of(path)
    main, program, result = (pathlib.Path(folder, path.stem + end) for end in (".main.cu", ".bin", ".words"))
    names = {"GRID": launch["grid"], "BLOCK": launch["block"], "WORDS": launch["words"],
             "COOPERATIVE": int(launch["cooperative"]), "RESULT": f'"{result}"'}
    main.write_text(f'#include "{path.name}"\n' + "".join(f"#define {k} {v}\n" for k, v in names.items()) + MAIN)
    # The name in messages is the file's own, so it is compiled where it lies.
    done = subprocess.run(["nvcc", "-arch=native", "-std=c++17", "-fmad=false", "-o", str(program), str(main), "-I."],
                          cwd=path.parent, capture_output=True, text=True)
    return path, program, result, done


def main(source, out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    failed = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        paths = sorted(pathlib.Path(source).resolve().glob("*.cu"))
        for path, program, result, done in pool.map(lambda p: build(p, folder), paths):
            if done.returncode != 0:
                failed.append(path.name)
                print(path.name, done.stdout, done.stderr)
                continue
            try:
                ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=20)
            except subprocess.TimeoutExpired:
                failed.append(path.name)
                print(path.name, "does not end")
                continue
            end, words = result.read_text().split("\n", 1)
            (out / (path.stem + ".expected")).write_text(f"{end}\n{ran.stdout}{ran.stderr}=== words\n{words}")
            print(path.name, end)
    return bool(failed)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
