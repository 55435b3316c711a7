# Compiles a student's Numba kernel to PTX, without a GPU. Runs in a sandbox. Standard input: the kernel's name,
# its parameters ("float32:1,int32"), the compute capability ("86"), each on a line, then the source.
import os
import re
import sys

answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the student prints is no answer


def end(kind, text):
    answer.write(kind + "\n" + text)
    answer.flush()
    os._exit(0)


def refuse_files():
    """From here on, only files of Python, of its packages and of the system's libraries can be read or listed, and what is in
    the sandbox's own folder. This saves time for a class; the sandbox is what keeps files safe."""
    own = [path for path in sys.path if path] + [sys.prefix, sys.exec_prefix, os.path.dirname(os.__file__)]
    system = ["/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local",
              os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), os.getcwd(), "/dev/null", "/dev/urandom"]
    allowed = tuple({os.path.realpath(path) for path in own + [path for path in system if path]} - {"/", "/usr"})
    folders = tuple(path + "/" for path in allowed)
    watched = ("open", "os.listdir", "os.scandir")
    fspath, realpath, fsdecode = os.fspath, os.path.realpath, os.fsdecode

    def hook(event, arguments):
        if event not in watched or isinstance(arguments[0], int):
            return
        path = realpath(fsdecode(fspath(arguments[0] if arguments[0] is not None else ".")))
        if path not in allowed and not path.startswith(folders):
            raise PermissionError(f"an answer may not read {path}")

    sys.addaudithook(hook)


def main():
    entry, parameters, capability = (sys.stdin.readline().strip() for _ in range(3))
    source = sys.stdin.read()
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_NPROC, (512, 512))
        from numba import cuda, types
        from numba.cuda.cudadrv import nvvm
        from numba.core.errors import NumbaError
    except Exception as error:
        end("missing", f"{type(error).__name__}: {error}")
    mend_compilation(nvvm, lambda sentence: None)  # noqa: F821: of numba_lines.py, in front of this text
    refuse_files()
    answer.write("begun\n")  # from here on, what is written may be the student's
    answer.flush()
    module = {"__name__": "answer", "__file__": "answer.py"}
    try:
        exec(compile(source, "answer.py", "exec"), module)
    except MemoryError:
        end("memory", "MemoryError")
    except BaseException as error:
        line = error.lineno if isinstance(error, SyntaxError) else line_of(error)
        end("compile", f"line {line}: {type(error).__name__}: {error}")
    kernel = module.get(entry)
    function = getattr(kernel, "py_func", kernel)
    if not callable(function):
        end("signature", f"There is no kernel {entry} in it: write @cuda.jit and def {entry}(…).")
    signature = []
    for word in parameters.split(","):
        name, _, dimensions = word.partition(":")
        one = getattr(types, name)
        signature.append(types.Array(one, int(dimensions), "C") if dimensions else one)
    if function.__code__.co_argcount != len(signature):
        end("signature", f"{entry} takes {function.__code__.co_argcount} parameters, and {len(signature)} are needed.")
    try:
        ptx = cuda.compile_ptx(function, types.void(*signature), device=False, lineinfo=True,
                               cc=(int(capability[:-1]), int(capability[-1])))[0]
    except MemoryError:
        end("memory", "MemoryError")
    except NumbaError as error:
        end("compile", str(error).strip().replace("\n", " ")[:1000])
    except Exception as error:
        end("compile", f"{type(error).__name__}: {error}")
    name = re.search(r"\.visible \.entry (\S+?)\(", ptx)
    end("ptx", (name.group(1) if name else "") + "\n" + ptx)


def line_of(error):
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "answer.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


main()
