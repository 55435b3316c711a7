"""What is said of the programs in programs/, each run by itself: NAME.said has a pattern a line for NAME.cu, in which
{mark} is the line with `// mark: mark`. Nothing else is said of bytes that are missing.

    programs.py build/release/warplens
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
SKIPPED = 77
MISSING = re.compile(r"^  .*(?:copies back|were copied|were set in|brings back).*$", re.MULTILINE)


def check(launcher, source):
    text = source.read_text(encoding="utf-8")
    lines = {mark: str(number) for number, line in enumerate(text.splitlines(), 1)
             for mark in re.findall(r"// mark: (\w+)$", line)}
    said = source.with_suffix(".said")
    wanted = said.read_text(encoding="utf-8").splitlines() if said.exists() else []
    for mark, line in lines.items():
        wanted = [words.replace(f"{{{mark}}}", line) for words in wanted]
    done = subprocess.run([launcher, "run", source.name], cwd=source.parent, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    missing = [words for words in wanted if not re.search(words, said)]
    surplus = [line for line in MISSING.findall(said) if not any(re.search(words, line) for words in wanted)]
    if missing or surplus:
        print(f"{source.name}: not said: {missing}; said though: {surplus}\n{said}")
    return not missing and not surplus


def main():
    from run import choose_compiler
    launcher = str(pathlib.Path(sys.argv[1]).resolve())
    if why := choose_compiler(launcher, False):
        print(why)
        return SKIPPED
    sources = sorted((HERE / "programs").glob("*.cu"))
    right = sum(check(launcher, source) for source in sources)
    print(f"{right} of {len(sources)} programs are told of as they should be")
    return 0 if right == len(sources) else 1


if __name__ == "__main__":
    sys.exit(main())
