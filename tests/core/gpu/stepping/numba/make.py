#!/usr/bin/env python3
# Compiles programs.py with numba-cuda and debug information, each as it is and with a print of its variables before
# each statement, into this folder: make.py FOLDER, with numba 0.61.2 and numba-cuda 0.30.4 (make.sh installs them).
# PROGRAM.probes names the prints: number, line, variable.
import ast
import inspect
import re
import sys
import textwrap
from numba import cuda, float64, int32
from numba.cuda import libdevice

import programs

signature = (int32[::1], int32[::1], int32)


class Prober:
    def __init__(self, parameters):
        self.parameters = parameters
        self.probes = []  # line, variable

    # A statement that prints a value's bits as a double, with the thread.
    def probe(self, line, name):
        number = len(self.probes)
        self.probes.append((line, name))
        text = f"print({number}, cuda.threadIdx.x, libdevice.double_as_longlong(float64({name})))"
        return ast.copy_location(ast.parse(text).body[0], ast.parse("0").body[0])

    # The statements with probes between them. `known` are the names that have a value for sure.
    def body(self, statements, known):
        made, known = [], list(known)
        for statement in statements:
            if not isinstance(statement, (ast.For, ast.While)):
                made += [self.probe(statement.lineno, name) for name in known]
            for part in ("body", "orelse"):
                inner = getattr(statement, part, None)
                if inner:
                    target = [statement.target.id] if isinstance(statement, ast.For) and part == "body" else []
                    setattr(statement, part, self.body(inner, known + [n for n in target if n not in known]))
            made.append(statement)
            known += [name for name in self.assigned(statement) if name not in known]
        return made

    # Arrays and tuples are no numbers.
    def assigned(self, statement):
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            return [statement.target.id]
        if not isinstance(statement, ast.Assign) or "array(" in ast.unparse(statement.value):
            return []
        target = statement.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        return [name.id for name in names if isinstance(name, ast.Name)]


def text_of(function, debug):
    ptx = cuda.compile_ptx(function, signature, debug=debug, opt=False, cc=(7, 5))[0]
    return re.sub(r'(\s\.file\s+\d+ ")[^"]*/', r"\1", ptx)


def main(folder):
    for function in programs.programs:
        name = function.__name__
        first = function.__code__.co_firstlineno
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        ast.increment_lineno(tree, first - 1)
        prober = Prober([argument.arg for argument in tree.body[0].args.args])
        tree.body[0].body = prober.body(tree.body[0].body, [])
        ast.fix_missing_locations(tree)
        names = {**vars(programs), "libdevice": libdevice, "float64": float64, "cuda": cuda}
        # The text again, so that Numba finds lines for it.
        path = f"/tmp/{name}_probed.py"
        with open(path, "w") as out:
            out.write(ast.unparse(tree) + "\n")
        exec(compile(ast.unparse(tree), path, "exec"), names)
        with open(f"{folder}/{name}.ptx", "w") as out:
            out.write(text_of(function, True))
        with open(f"{folder}/{name}.probed.ptx", "w") as out:
            out.write(text_of(names[name], False))
        with open(f"{folder}/{name}.probes", "w") as out:
            out.writelines(f"{number} {line} {variable}\n" for number, (line, variable) in enumerate(prober.probes))


main(sys.argv[1])
