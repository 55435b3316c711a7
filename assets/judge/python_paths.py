# Prints what Python with Numba must read to compile an answer, besides the system's libraries, a path on each line: its
# folders, and the links by which its program is found. The last line is the program.
import os
import sys

# Not in the folder in which it was started, since answers of a class may be there.
sys.path = [path for path in sys.path if path]
import numba
import numba.cuda

LIBRARIES = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local")


def below(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def links(path):
    yield path
    while os.path.islink(path):
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        yield path


packages = [os.path.dirname(os.path.dirname(module.__file__)) for module in (numba, numba.cuda)]
named = dict.fromkeys([sys.prefix, sys.base_prefix, *packages])
real = [os.path.realpath(path) if path.startswith("/usr") else path for path in named]
folders = [path for path in dict.fromkeys(real) if path not in ("/", "/usr") and not below(path, LIBRARIES)]
programs = [path for path in links(sys.executable) if not below(path, (*folders, *LIBRARIES))]
print(*folders, *programs, sys.executable, sep="\n")
