"""Mends what Numba gives NVIDIA's compiler (libNVVM) where a kernel has line information.

This text stands in front of two others: program/sitecustomize.py and judge/compile_numba.py."""
import sys

# Numba describes variables even where only lines are asked for. NVVM has no use for them then, but keeps their names while it
# moves code, and refuses some kernels: "Symbol name with unsupported characters".
ONLY_LINES = "emissionKind: DebugDirectivesOnly"
VARIABLES = r'(?m)^[^\n"]*\bcall void @"?llvm\.dbg\.[^\n]*$'
LOCATIONS = r",? !dbg ![0-9]+"
KERNEL = r'DISubprogram\([^\n]*\bname: "([^"]+)"'


def tell(sentence):
    print("warplens: " + sentence, file=sys.stderr)


def mend_compilation(nvvm, say=tell):
    """In a module of Numba that calls NVVM: with lines, variables are left out; what is refused all the same is compiled again
    without lines, and `say` gets a sentence. What is refused in both ways raises what it raised with lines."""
    for name in ("compile_ir", "llvm_to_ptx"):
        if hasattr(nvvm, name):
            setattr(nvvm, name, with_sound_lines(getattr(nvvm, name), say))


def with_sound_lines(compile_ir, say):
    import functools
    import re

    @functools.wraps(compile_ir)
    def wrapped(llvmir, **options):
        modules = [llvmir] if isinstance(llvmir, str) else list(llvmir)
        if not any(ONLY_LINES in text for text in modules):
            return compile_ir(llvmir, **options)
        modules = [re.sub(VARIABLES, "", text) for text in modules]
        try:
            return compile_ir(modules, **options)
        except Exception as refusal:
            try:
                made = compile_ir([re.sub(LOCATIONS, "", text) for text in modules], **options)
            except Exception:
                raise refusal from None
            reason = " ".join(str(refusal).split())[:200]
            names = {name for text in modules for name in re.findall(KERNEL, text) if not name.startswith("_Z")}
            say(f"The Numba kernel {', '.join(sorted(names))} has no line information, so messages about it name no line: "
                f"NVIDIA's compiler refused it with lines ({reason}), and compiled it without.")
            return made

    return wrapped
