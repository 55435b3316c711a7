"""Compares the headers that clang gets (assets/cuda) with NVIDIA's of CUDA 12: the value of each enumerator and macro,
the size of each structure and the place of each of its members, and the type of each function. Those of cuBLAS are also
compared with CUDA 13's, where a toolkit has brought them.

    headers.py FOLDER_OF_NVIDIAS_HEADERS FOLDER_OF_OUR_LIBRARIES
"""
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
OURS = ROOT / "assets" / "cuda"
TOOLKITS = [pathlib.Path("/usr/local/cuda/include"),
            *(pathlib.Path.home() / ".cache" / "warplens").glob("nvcc-*/nvidia/cu13/include")]
SKIPPED = 77


@dataclasses.dataclass
class Api:
    header: str
    files: str           # ours, as a pattern
    least: int           # facts that there must be
    library: str = ""    # what works in it is declared, and nothing else
    guards: str = ""     # macros by which programs ask for headers
    functions: str = ""  # the names of functions that macros declare, as a pattern


APIS = {"runtime": Api("cuda_runtime_api.h", "runtime/*.h", 300, guards="__DRIVER_TYPES_H__ __CUDA_RUNTIME_API_H__"),
        "driver": Api("cuda.h", "driver/*.h", 300, guards="__cuda_cuda_h__"),
        "rand": Api("curand_kernel.h", "curand.h random/states.h library_types.h", 80, "libcurand.so.10",
                    "CURAND_H_ CURAND_KERNEL_H_", r"curand[A-Z]\w+"),
        "blas": Api("cublas_v2.h", "cublas_api.h blas/*.h", 300, "libcublas.so.12", "CUBLAS_API_H_ CUBLAS_V2_H_", r"cublas[A-Z]\w+"),
        "fft": Api("cufftXt.h", "cufft.h cufftXt.h fft/*.h", 50, "libcufft.so.11", "_CUFFT_H_ _CUFFTXT_H_", r"cufft[A-Z]\w+"),
        "sparse": Api("cusparse.h", "cusparse.h sparse/*.h", 150, "libcusparse.so.12", "CUSPARSE_H_", r"cusparse[A-Z]\w+"),
        "solver": Api("cusolverDn.h", "cusolverDn.h cusolver_common.h solver/*.h", 150, "libcusolver.so.11", "CUSOLVERDN_H_ CUSOLVER_COMMON_H_",
                      r"cusolver[A-Z]\w+"),
        "blas_lt": Api("cublasLt.h", "cublasLt.h blas_lt/*.h", 80, "libcublasLt.so.12", "", r"cublasLt[A-Z]\w+"),
        "nccl": Api("nccl.h", "nccl/*.h", 70, "libnccl.so.2", "NCCL_H_", r"nccl[A-Z]\w+"),
        "complex": Api("cuComplex.h", "cuComplex.h", 20, guards="CU_COMPLEX_H_", functions=r"cuC\w+|make_cu\w+")}


def text_of(api):
    paths = [path for pattern in APIS[api].files.split() for path in sorted(OURS.glob(pattern))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths if "templates" not in path.name)
    return re.sub(r"//.*", "", text)


def preprocessed(api):
    return subprocess.run(["c++", "-std=c++17", "-E", "-P", f"-I{OURS}", OURS / APIS[api].header], capture_output=True, text=True,
                          check=True).stdout


def declared(api):
    """The functions that our header declares, macros included, with their parameters; of overloads the first."""
    text = preprocessed(api)
    if not APIS[api].functions:
        return {}
    found = re.findall(rf"\b({APIS[api].functions})\(([^()]*)\)\s*[;{{]", text)
    return {name: next(words for other, words in found if other == name) for name in sorted({name for name, _ in found})}


def not_in_library(api, libraries):
    """Functions that are declared and do not work, or work and are not declared. Those that do not work are weak symbols."""
    library = libraries / (APIS[api].library or "none")
    if not library.exists():
        return set()
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    in_header = set(re.findall(rf"^static inline \w+ ({APIS[api].functions})\(", preprocessed(api), re.M)) if APIS[api].functions else set()
    return (declared(api).keys() ^ set(re.findall(r" T (\w+)(?:@@.*)?$", text, re.M))) - in_header


def members_of(structure):
    """The members that stand at the top of a structure: those of unions inside have the union's place."""
    body, depth, flat = structure, 0, ""
    for letter in body:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        flat += letter if depth == 0 else ""
    names = []
    for line in flat.split(";"):
        words = re.sub(r"\[[^]]*\]", "", line).replace("}", " ").strip()
        if words in ("union", "struct"):
            continue
        parts = words.split(",")
        names += [match.group(1) for part in parts if (match := re.search(r"(\w+)\s*$", part.strip())) and len(parts[0].split()) > 1]
        if re.fullmatch(r"(union|struct)\s+\w+", words):
            names[-1:] = [words.split()[1]]
    return names


def facts(api):
    """Lines of C++ that print what both headers must agree on."""
    text = text_of(api)
    rows = [f'#ifdef {name}\nnumber("{name}", 1);\n#else\nnumber("{name}", 0);\n#endif' for name in APIS[api].guards.split()]
    for body in re.findall(r"enum (?:\w+ )?\{(.*?)\}", text, re.S):
        rows += [f'number("{name}", (long long){name});' for name in re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip())]
    for name in re.findall(r"^#define (cuda[A-Z]\w*|CU_\w+|CUDA_ARRAY3D\w+|CURAND_VER\w+) (?:0x|\(|\d)", text, re.M):
        rows.append(f'number("{name}", (long long){name});')
    for match in re.finditer(r"^typedef (?:struct|union) \w+ \{\n(.*?)^\} (\w+);", text, re.S | re.M):
        rows.append(f'number("sizeof {match[2]}", (long long)sizeof({match[2]}));')
        for member in members_of(match[1]):
            rows.append(f'number("{match[2]}.{member}", (long long)offsetof({match[2]}, {member}));')
    for match in re.finditer(r"^struct (curandState\w+) \{\n(.*?)^\};", text, re.S | re.M):
        rows.append(f'number("sizeof {match[1]}", (long long)sizeof({match[1]}));')
        rows.append(f'number("alignof {match[1]}", (long long)alignof({match[1]}));')
        for member in members_of(match[2]):
            rows.append(f'number("{match[1]}.{member}", (long long)offsetof({match[1]}, {member}));')
    for name, parameters in declared(api).items():
        # Those with overloads are named by their type: where NVIDIA's has none of it, this does not compile.
        one = f"(cublasStatus_t (*)({parameters})){name}" if re.fullmatch(r"cublasGemm\w*Ex", name) else name
        rows.append(f'type("{name}", typeid({one}).name());')
    for name in re.findall(r"^(?:cudaError_t|const char\*|cudaChannelFormatDesc|CUresult) (cu\w+)\(", text, re.M):
        rows.append(f'type("{name}", typeid({name}).name());')
    return rows


def answers(api, rows, includes, folder):
    source = pathlib.Path(folder) / f"{api}.cpp"
    source.write_text(
        f"#include <{APIS[api].header}>\n#include <cstddef>\n#include <cstdio>\n#include <typeinfo>\n"
        'static void number(const char* name, long long value) { printf("%s = %lld\\n", name, value); }\n'
        'static void type(const char* name, const char* text) { printf("%s: %s\\n", name, text); }\n'
        "int main() {\n" + "\n".join(rows) + "\n}\n", encoding="utf-8")
    program = pathlib.Path(folder) / api
    subprocess.run(["c++", "-std=c++17", "-w", f"-I{includes}", source, "-Wl,--unresolved-symbols=ignore-all", "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def compare(api, theirs, folder):
    """How many facts are wrong."""
    rows = facts(api)
    own, real = answers(api, rows, OURS, folder), answers(api, rows, theirs, folder)
    differ = [(a, b) for a, b in zip(own, real) if a != b]
    for ours, nvidias in differ:
        print(f"{api}: ours {ours}\n{' ' * len(api)}  NVIDIA's {nvidias}")
    print(f"{api}: {len(rows)} facts, {len(differ)} differ")
    return len(differ) + (0 if len(rows) > APIS[api].least else 1)


def main():
    theirs = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1] else None
    wrong = 0
    for api in APIS:
        for name in sorted(not_in_library(api, pathlib.Path(sys.argv[2]))):
            print(f"{api}: {name} works or is declared, not both")
            wrong += 1
    header = theirs / "cuda.h" if theirs else None
    if not header or not header.exists() or not re.search(r"#define CUDA_VERSION 12\d{3}", header.read_text(encoding="utf-8")):
        print("skipped: NVIDIA's headers of CUDA 12 are not on this machine (tools/setup brings them)")
        return 1 if wrong else SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for api, what in APIS.items():
            found = next((place for place in (theirs, *TOOLKITS) if (place / what.header).exists()), None)
            if found is None:
                print(f"{api}: {what.header} of NVIDIA's is not on this machine")
                continue
            wrong += compare(api, found, folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
