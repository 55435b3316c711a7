"""A class as files: the table as CSV, and all of it as a ZIP archive that `warplens class` and `warplens grade` read."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from typing import Any, Callable

from .store import Row, Store

Name = Callable[[Row], str]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(cell: Any) -> Any:
    """A text that no spreadsheet takes for a formula."""
    return "'" + cell if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def place_words(place: Row) -> str:
    if place.get("challenge"):
        return str(place["challenge"])
    return f"{place['lesson']} {place.get('step', '')}".strip() if place.get("lesson") else ""


def best_stars(hand_ins: list[Row]) -> dict[int, dict[str, int]]:
    """By student and challenge. A challenge that was never right has 0."""
    best: dict[int, dict[str, int]] = {}
    for one in hand_ins:
        of_student = best.setdefault(one["student"], {})
        stars = int((one["verdict"] or {}).get("stars") or 0)
        of_student[one["challenge"]] = max(stars, of_student.get(one["challenge"], 0))
    return best


def class_csv(store: Store, name: Name) -> str:
    hand_ins = store.hand_ins()
    stars = best_stars(hand_ins)
    challenges = sorted({one["challenge"] for one in hand_ins})
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(["student", "place", "hand-ins", "stars", *challenges])
    for student in store.students():
        of_student = stars.get(student["id"], {})
        count = sum(one["student"] == student["id"] for one in hand_ins)
        row = [name(student), place_words(student["place"]), count, sum(of_student.values()),
               *(of_student.get(challenge, "") for challenge in challenges)]
        table.writerow([harmless(cell) for cell in row])
    return text.getvalue()


def _folder(name: str) -> str:
    """A name of one folder on every system: no path leads out of the archive."""
    plain = re.sub(r"[^\w-]+", "_", name).strip("_")[:60]
    return plain if plain == name else f"{plain or 'student'}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _hand_in(name: str, one: Row, progress: Row) -> Row:
    """As docs/classroom.md describes it."""
    return {"warplens_hand_in": 1, "challenge": one["challenge"], "language": one["language"], "source": one["source"], "name": name,
            "stars": int((one["verdict"] or {}).get("stars") or 0), "progress": progress}


def archive(store: Store, name: Name) -> bytes:
    """A folder for each student: the hand-ins, and the progress. The last hand-in of a challenge counts, so it comes last."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("class.csv", class_csv(store, name))
        for student in store.students():
            called, folder = name(student), _folder(name(student))
            progress = store.progress(student["id"])["progress"]
            files.writestr(f"{folder}/progress.json", json.dumps(progress, indent=1))
            for one in store.hand_ins(student["id"], with_source=True):
                files.writestr(f"{folder}/{one['id']:06}_{one['challenge']}.json", json.dumps(_hand_in(called, one, progress)))
    return data.getvalue()
