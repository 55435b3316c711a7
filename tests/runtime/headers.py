"""Compares the headers that clang gets (assets/cuda) with NVIDIA's of CUDA 12: the value of each enumerator and macro,
the size of each structure and the place of each of its members, and the type of each function.

    headers.py FOLDER_OF_NVIDIAS_HEADERS
"""
import pathlib
import re
import subprocess
import sys
import tempfile

OURS = pathlib.Path(__file__).resolve().parents[2] / "assets" / "cuda"
SKIPPED = 77
APIS = {"runtime": "cuda_runtime_api.h", "driver": "cuda.h"}


def text_of(api):
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((OURS / api).glob("*.h")) if "templates" not in path.name)
    return re.sub(r"//.*", "", text)


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
    rows = []
    for body in re.findall(r"enum \w+ \{(.*?)\}", text, re.S):
        rows += [f'number("{name}", (long long){name});' for name in re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip())]
    for name in re.findall(r"^#define (cuda[A-Z]\w*|CU_\w+|CUDA_ARRAY3D\w+) (?:0x|\(|\d)", text, re.M):
        rows.append(f'number("{name}", (long long){name});')
    for match in re.finditer(r"^typedef (?:struct|union) \w+ \{\n(.*?)^\} (\w+);", text, re.S | re.M):
        rows.append(f'number("sizeof {match[2]}", (long long)sizeof({match[2]}));')
        for member in members_of(match[1]):
            rows.append(f'number("{match[2]}.{member}", (long long)offsetof({match[2]}, {member}));')
    for name in re.findall(r"^(?:cudaError_t|const char\*|cudaChannelFormatDesc|CUresult) (cu\w+)\(", text, re.M):
        rows.append(f'type("{name}", typeid({name}).name());')
    return rows


def answers(api, rows, includes, folder):
    source = pathlib.Path(folder) / f"{api}.cpp"
    source.write_text(
        f"#include <{APIS[api]}>\n#include <cstddef>\n#include <cstdio>\n#include <typeinfo>\n"
        'static void number(const char* name, long long value) { printf("%s = %lld\\n", name, value); }\n'
        'static void type(const char* name, const char* text) { printf("%s: %s\\n", name, text); }\n'
        "int main() {\n" + "\n".join(rows) + "\n}\n", encoding="utf-8")
    program = pathlib.Path(folder) / api
    subprocess.run(["c++", "-std=c++17", "-w", f"-I{includes}", source, "-Wl,--unresolved-symbols=ignore-all", "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def main():
    theirs = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1] else None
    header = theirs / "cuda.h" if theirs else None
    if not header or not header.exists() or not re.search(r"#define CUDA_VERSION 12\d{3}", header.read_text(encoding="utf-8")):
        print("skipped: NVIDIA's headers of CUDA 12 are not on this machine (tools/setup brings them)")
        return SKIPPED
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for api in APIS:
            rows = facts(api)
            own, real = answers(api, rows, OURS, folder), answers(api, rows, theirs, folder)
            differ = [(a, b) for a, b in zip(own, real) if a != b]
            for ours, nvidias in differ:
                print(f"{api}: ours {ours}\n{' ' * len(api)}  NVIDIA's {nvidias}")
            wrong += len(differ)
            print(f"{api}: {len(rows)} facts, {len(differ)} differ")
            wrong += 0 if len(rows) > 300 else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
