"""What a build without the libraries for programs says: `tools/run` alone builds none."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cuda/stand_in/runtime"))
from run import SKIPPED, find_nvcc  # noqa: E402

PROGRAM = "#include <cublas_v2.h>\nint main() { return 0; }\n"


def main():
    launcher = pathlib.Path(sys.argv[1]).resolve()
    if not find_nvcc() or not (launcher.parent / "driver" / "libcuda.so.1").exists():
        print("skipped: there is no nvcc, or this build has no driver for programs")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for name in ("driver", "runtime"):
            (pathlib.Path(folder) / name).symlink_to(launcher.parent / name)
        shutil.copy(launcher, folder)
        (pathlib.Path(folder) / "gemm.cu").write_text(PROGRAM, encoding="utf-8")
        environment = {**os.environ, "WARPLENS_DRIVER": f"{folder}/driver/libcuda.so.1"}
        done = subprocess.run([f"{folder}/{launcher.name}", "run", "gemm.cu"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode != 0, done.stdout
        assert "gemm.cu includes cublas_v2.h, and libcublas.so for programs is not in the driver's folder of this build" in done.stderr, done.stderr
        assert "tools/run program" in done.stderr, done.stderr
    return 0


sys.exit(main())
