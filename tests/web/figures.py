"""Writes what tools/web --write measured into docs/web.md: sizes and times of the page, and the table of what is the same as
natively.

    figures.py BUILD PAGE_OF_DOCS          BUILD has counts.json (compare.py), page.json (page_test.py) and photographs.json
                                           (photographs.py)
"""
import json
import pathlib
import re
import sys

BUILDS = {"threads": "with threads", "plain": "without threads"}
TIMED = ["grayscale", "matmul_tiled", "mandelbrot"]


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)])


def size(numbers):
    size, packed = numbers
    return f"{size / 1e6:.2f} MB, {packed / 1e6:.2f} MB packed" if size >= 1e6 else f"{size / 1e3:.0f} kB, {packed / 1e3:.0f} kB packed"


def ms(time):
    return f"{time:.0f} ms" if time >= 10 else f"{time:.1f} ms"


def spread(of):
    return f"{ms(of['median'])} at the median, {ms(of['most_of_90'])} at the 90th percentile, the longest of {of['count']} {ms(of['longest'])}"


def added(sizes, names):
    return [sum(sizes[name][i] for name in names) for i in (0, 1)]


def of_page(page, photographs):
    sizes, threads = page["sizes"], page["threads"]
    late = sizes["warplens.compiled"]
    photos = sum(numbers[0] for name, numbers in sizes.items() if name.endswith((".png", ".jpg")))
    shared = [name for name in sizes if "/" not in name and name.endswith((".js", ".html"))]
    rows = [["the page's own files", size(added(sizes, shared))]]
    for build, title in BUILDS.items():
        scripts = [name for name in sizes if name.startswith(f"{build}/") and name.endswith(".js")]
        program = f"{build}/warplens.wasm"
        rows += [[f"`warplens.wasm`, {title}", size(sizes[program])],
                 [f"its scripts, {title}", size(added(sizes, scripts))],
                 [f"to the first picture in all, {title}", f"{added(sizes, [program, *scripts, *shared])[1] / 1e6:.2f} MB packed"],
                 [f"first picture, {title}, from the first request, the median of three", f"{page['first_picture_s'][build]:.1f} s"]]
    rows += [["`warplens.compiled` and photographs, after the first picture", f"{(late[0] + photos) / 1e6:.2f} MB"],
             [f"a long run with threads, of {threads['workers']} workers on {threads['cores']} cores: whole frames", spread(page["frames_with_threads"])],
             ["a long run without threads: pieces of work between two frames", spread(page["pieces"])],
             ["a long run without threads: whole frames, drawing and work", spread(page["frames"])]]
    if photographs:
        rows.append([f"to prepare a run with a photograph, {len(photographs)} of them, in Node.js", f"{ms(min(photographs.values()))} to {ms(max(photographs.values()))}"])
    return f"In {page['browser']}, at a load of {page['load']:.1f} on {page['cores']} cores.\n\n" + table(["", ""], rows)


def of_times(counts):
    rows = [[f"`{row['name']}`", f"{row['native_ms']:.1f} ms", f"{row['web_ms']:.1f} ms", f"{row['web_ms'] / row['native_ms']:.2f}"]
            for row in counts if row["name"] in TIMED]
    return table(["kernel", "native", "WebAssembly", "ratio"], rows)


def of_counts(counts):
    rows = [[row["name"], f"{row['warp_instructions']:,}", f"{row['bytes']:,}", "no: " + ", ".join(row["differs"]) if row["differs"] else "yes"]
            for row in counts]
    return table(["", "warp instructions", "bytes of outputs", "the same"], rows)


def with_figures(text, name, figures):
    begin, end = f"<!-- tools/web --write, {name}: from here -->", f"<!-- {name}: to here -->"
    found = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if len(found.findall(text)) != 1:
        raise SystemExit(f"figures: the page has no place for {name}: a line {begin} and a line {end}")
    return found.sub(lambda _: f"{begin}\n{figures}\n{end}", text)


def main():
    build, docs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    counts = json.loads((build / "counts.json").read_text())
    page = json.loads((build / "page.json").read_text())
    photographs = json.loads((build / "photographs.json").read_text())
    text = docs.read_text(encoding="utf-8")
    for name, figures in (("page", of_page(page, photographs)), ("times", of_times(counts)), ("counts", of_counts(counts))):
        text = with_figures(text, name, figures)
    docs.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
