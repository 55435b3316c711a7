"""Who somebody is: codes, signed sessions, and how many wrong tries there may be."""

from __future__ import annotations

import collections
import hashlib
import hmac
import secrets
import time
from typing import Any, Callable, Optional

import itsdangerous

# Without letters and digits that look alike.
_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_GROUP = 4

SESSION_SECONDS = 30 * 86400
TEACHERS_SECONDS = 86400


def new_code(groups: int) -> str:
    """As "K7QM-2WXA": 20 bits a group."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(groups))


def _canonical(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter in _LETTERS)


def same(given: str, right: str) -> bool:
    """Takes as long for a nearly right text as for any other."""
    return hmac.compare_digest(given.encode(), right.encode())


class Identity:
    """All that needs the class's key."""

    def __init__(self, key: str, class_code: str):
        self._key = key.encode()
        self._class_code = class_code
        self._sessions = itsdangerous.URLSafeTimedSerializer(key, salt="session")
        self.teacher_token = self._keyed("teacher")

    def _keyed(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()

    def hash_of(self, code: str) -> str:
        """Of a resume code: what the store has of it."""
        return self._keyed("code " + _canonical(code))

    def is_class_code(self, code: str) -> bool:
        return same(_canonical(code), _canonical(self._class_code))

    def is_teacher(self, token: str) -> bool:
        return same(token, self.teacher_token)

    def pseudonym(self, student: int) -> str:
        """As "bakotizu": not to be guessed from a list of the class, and the same every time."""
        number = int(self._keyed(f"name {student}"), 16)
        word = ""
        for _ in range(4):
            number, consonant = divmod(number, 14)
            number, vowel = divmod(number, 5)
            word += "bdfgklmnprstvz"[consonant] + "aeiou"[vowel]
        return word

    def session(self, who: dict[str, Any]) -> str:
        return self._sessions.dumps(who)

    def read_session(self, text: str) -> Optional[dict[str, Any]]:
        """None if it is not ours, or too old."""
        try:
            who = self._sessions.loads(text, max_age=SESSION_SECONDS)
            if "teacher" in who:
                who = self._sessions.loads(text, max_age=TEACHERS_SECONDS)
        except itsdangerous.BadData:
            return None
        return who if isinstance(who, dict) else None


class Tries:
    """At most `most` wrong tries of somebody within so many seconds."""

    _MOST_KNOWN = 10_000

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic):
        self._most, self._seconds, self._clock = most, seconds, clock
        self._wrong: collections.OrderedDict[str, list[float]] = collections.OrderedDict()

    def are_over(self, who: str) -> bool:
        since = self._clock() - self._seconds
        return len([at for at in self._wrong.get(who, []) if at > since]) >= self._most

    def note_wrong(self, who: str) -> None:
        self._wrong[who] = [*self._wrong.pop(who, []), self._clock()][-self._most:]
        while len(self._wrong) > self._MOST_KNOWN:
            self._wrong.popitem(last=False)

    def clear(self, who: str) -> None:
        self._wrong.pop(who, None)
