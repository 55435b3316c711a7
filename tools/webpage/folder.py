"""Makes the folder that a web server serves out of the page and its files:

    index.html, offline.js       the page, and what keeps it for use offline; with the version written in
    VERSION/                     all other files. Its name is a hash of them all, so no page gets files of two versions

    VERSION/plain, VERSION/threads    the two builds of the program, of which a page loads one

    folder.py FOLDER --page PAGE_FOLDER --plain FILE... --threads FILE... --files FILE... [--photos FILE...]
"""
import argparse
import base64
import hashlib
import json
import pathlib
import shutil

AT_THE_TOP = ["index.html", "offline.js"]
BUILDS = ["plain", "threads"]


def version_of(contents):
    hashed = hashlib.sha256()
    for name, content in sorted(contents.items()):
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return hashed.hexdigest()[:12]


def integrity(content):
    """As fetch() asks for it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def filled(text, values):
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    for build in BUILDS:
        parser.add_argument(f"--{build}", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--files", type=pathlib.Path, nargs="+", required=True)
    # In a folder of the name that the program looks for (core/image/samples.cpp).
    parser.add_argument("--photos", type=pathlib.Path, nargs="*", default=[])
    arguments = parser.parse_args()
    photos = [f"{path.parent.name}/{path.name}" for path in arguments.photos]
    contents = {path.name: path.read_bytes() for path in [*arguments.page.iterdir(), *arguments.files]}
    contents |= {name: path.read_bytes() for name, path in zip(photos, arguments.photos)}
    for build in BUILDS:
        contents |= {f"{build}/{path.name}": path.read_bytes() for path in getattr(arguments, build)}
    version = version_of(contents)
    made = arguments.folder.with_name(arguments.folder.name + ".part")
    shutil.rmtree(made, ignore_errors=True)
    hashes = {}
    for name, content in contents.items():
        if name in AT_THE_TOP:
            continue
        (made / version / name).parent.mkdir(parents=True, exist_ok=True)
        (made / version / name).write_bytes(content)
        hashes[f"{version}/{name}"] = integrity(content)
    values = {"@VERSION@": version, "@PHOTOS@": " ".join(photos)}
    values |= {f"@{build.upper()}_BYTES@": str(len(contents[f"{build}/warplens.wasm"])) for build in BUILDS}
    page = filled(contents["index.html"].decode(), values).encode()
    hashes["./"] = integrity(page)
    (made / "index.html").write_bytes(page)
    keeper = filled(contents["offline.js"].decode(), values | {"{/*FILES*/}": json.dumps(hashes, indent=2)})
    (made / "offline.js").write_bytes(keeper.encode())
    shutil.rmtree(arguments.folder, ignore_errors=True)
    made.rename(arguments.folder)


if __name__ == "__main__":
    main()
