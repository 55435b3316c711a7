"""Kernels of Numba have line information, so that a fault names its line in the script.

Python loads this file of its own accord when it starts: `warplens program` puts its folder in front of the others. The file of
this name that would have been loaded without it is loaded next."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# The modules that call NVIDIA's compiler.
COMPILERS = ("numba.cuda.cudadrv.nvvm",)
# The modules with cuda.jit: its name there, the place of `debug` among its arguments, and the module with Numba's settings.
# Numba-CUDA-MLIR takes `debug` by its name alone.
DECORATORS = {
    "numba.cuda.decorators": ("jit", 4, "numba.cuda.core.config"),
    "numba_cuda_mlir.decorators": ("mlir_jit", 99, "numba_cuda_mlir.numba_cuda.core.config"),
}


def with_lines(jit, debug_place, settings):
    """cuda.jit with lineinfo=True, where the script says neither that nor debug, which excludes it."""
    import functools

    @functools.wraps(jit)
    def wrapped(*arguments, **options):
        debug = options.get("debug")
        if debug is None:
            debug = getattr(settings(), "CUDA_DEBUGINFO_DEFAULT", 0)
        if "lineinfo" not in options and not debug and len(arguments) <= debug_place:
            options["lineinfo"] = True
        return jit(*arguments, **options)

    return wrapped


def ask_for_lines(module, jit, debug_place, config):
    if hasattr(module, jit):
        settings = lambda: getattr(module, "config", None) or sys.modules.get(config)
        setattr(module, jit, with_lines(getattr(module, jit), debug_place, settings))


class WhenNumbaComes:
    """A finder for sys.meta_path that changes modules of Numba as they are loaded."""
    looking = False

    def find_spec(self, name, path=None, target=None):
        if (name not in DECORATORS and name not in COMPILERS) or self.looking:
            return None
        import importlib.util

        self.looking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.looking = False
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            if name in COMPILERS:
                mend_compilation(module)  # noqa: F821: of numba_lines.py, in front of this text
            else:
                ask_for_lines(module, *DECORATORS[name])

        spec.loader.exec_module = exec_module
        return spec


def load_next():
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or os.curdir) != HERE]
    this = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = this


sys.meta_path.insert(0, WhenNumbaComes())
load_next()
