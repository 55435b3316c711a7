"""What is stored of a class: students, their progress, votes and hand-ins, and the class's own values. SQLite by default, and
no SQL of one database alone. Times are whole seconds since 1970. Each call is one transaction, and is on disk when it returns."""

from __future__ import annotations

import json
import sqlite3
import time
import unicodedata
from pathlib import Path
from typing import Any, Optional

import alembic.command
import alembic.config
import sqlalchemy as sql

_data = sql.MetaData()
_VALUES = sql.Table("class_values", _data,
                    sql.Column("name", sql.String(40), primary_key=True),
                    sql.Column("value", sql.Text, nullable=False))
_STUDENTS = sql.Table("students", _data,
                      sql.Column("id", sql.Integer, primary_key=True),
                      sql.Column("name", sql.String(80), nullable=False),
                      sql.Column("folded", sql.String(240), nullable=False, unique=True),
                      sql.Column("code_hash", sql.String(64), nullable=False),
                      sql.Column("epoch", sql.Integer, nullable=False),  # sessions of an earlier one are over
                      sql.Column("joined", sql.Integer, nullable=False),
                      sql.Column("seen", sql.Integer, nullable=False))


def _of_student(**more: Any) -> sql.Column[int]:
    return sql.Column("student", sql.Integer, sql.ForeignKey("students.id", ondelete="CASCADE"), nullable=False, **more)


_PROGRESS = sql.Table("progress", _data,
                      _of_student(primary_key=True),
                      sql.Column("place", sql.Text, nullable=False),     # {"lesson", "step"} or {"challenge"}
                      sql.Column("progress", sql.Text, nullable=False),  # the page's own progress (docs/classroom.md)
                      sql.Column("at", sql.Integer, nullable=False))
_VOTES = sql.Table("votes", _data,
                   _of_student(primary_key=True),
                   sql.Column("question", sql.String(200), primary_key=True),
                   sql.Column("answer", sql.String(200), nullable=False),
                   sql.Column("correct", sql.Boolean),  # unknown until it is revealed
                   sql.Column("at", sql.Integer, nullable=False))
_HAND_INS = sql.Table("hand_ins", _data,
                      sql.Column("id", sql.Integer, primary_key=True),
                      _of_student(index=True),
                      sql.Column("challenge", sql.String(80), nullable=False),
                      sql.Column("language", sql.String(8), nullable=False),  # "cuda" or "numba"
                      sql.Column("source", sql.Text, nullable=False),
                      sql.Column("verdict", sql.Text),  # as `warplens judge --json` says it; unknown until it is judged
                      sql.Column("at", sql.Integer, nullable=False))

Row = dict[str, Any]


def folded(name: str) -> str:
    """Names that look the same are the same student."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _now() -> int:
    return int(time.time())


def _prepare_sqlite(engine: sql.Engine) -> None:
    @sql.event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy begins the transactions
        # FULL: what was committed is on the disk, also if the machine loses its power.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    @sql.event.listens_for(engine, "begin")
    def begin(connection: sql.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # two programs that write never fail half-way


class Store:
    """Of one class. Used by one thread at a time."""

    def __init__(self, file: Path):
        self.file = file
        new = not file.exists()
        if new:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
        self._engine = sql.create_engine(f"sqlite:///{file}")
        _prepare_sqlite(self._engine)
        migrations = alembic.config.Config()
        migrations.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
        with self._engine.begin() as connection:
            migrations.attributes["connection"] = connection
            alembic.command.upgrade(migrations, "head")

    def close(self) -> None:
        self._engine.dispose()

    def _rows(self, query: Any) -> list[Row]:
        with self._engine.begin() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def _change(self, *changes: Any) -> int:
        """The number of rows that the last one changed."""
        with self._engine.begin() as connection:
            return [connection.execute(change).rowcount for change in changes][-1]

    # The class

    def value(self, name: str, default: Any = None) -> Any:
        rows = self._rows(sql.select(_VALUES.c.value).where(_VALUES.c.name == name))
        return json.loads(rows[0]["value"]) if rows else default

    def set_value(self, name: str, value: Any) -> None:
        self._change(_VALUES.delete().where(_VALUES.c.name == name), _VALUES.insert().values(name=name, value=json.dumps(value)))

    # Students

    def add_student(self, name: str, code_hash: str) -> Optional[Row]:
        """None if the class has a student of that name."""
        try:
            self._change(_STUDENTS.insert().values(name=name, folded=folded(name), code_hash=code_hash, epoch=1, joined=_now(),
                                                   seen=_now()))
        except sql.exc.IntegrityError:
            return None
        return self.student_named(name)

    def student_named(self, name: str) -> Optional[Row]:
        return next(iter(self._rows(sql.select(_STUDENTS).where(_STUDENTS.c.folded == folded(name)))), None)

    def student(self, student: int) -> Optional[Row]:
        return next(iter(self._rows(sql.select(_STUDENTS).where(_STUDENTS.c.id == student))), None)

    def students(self) -> list[Row]:
        """With their place, sorted by the time when they joined."""
        with_place = sql.outerjoin(_STUDENTS, _PROGRESS, _STUDENTS.c.id == _PROGRESS.c.student)
        rows = self._rows(sql.select(_STUDENTS, _PROGRESS.c.place).select_from(with_place).order_by(_STUDENTS.c.id))
        return [{**row, "place": json.loads(row["place"] or "{}")} for row in rows]

    def set_code(self, student: int, code_hash: str) -> None:
        """Ends all sessions of the student."""
        self._change(_STUDENTS.update().where(_STUDENTS.c.id == student)
                     .values(code_hash=code_hash, epoch=_STUDENTS.c.epoch + 1))

    def seen(self, student: int) -> None:
        self._change(_STUDENTS.update().where(_STUDENTS.c.id == student).values(seen=_now()))

    def forget(self, name: str) -> bool:
        """Everything about a student. False if there is none of that name."""
        return self._change(_STUDENTS.delete().where(_STUDENTS.c.folded == folded(name))) > 0

    def forget_unseen(self, days: int) -> int:
        """Everything about students who were not here for so long. Returns their number."""
        return self._change(_STUDENTS.delete().where(_STUDENTS.c.seen < _now() - days * 86400))

    # Their work

    def set_progress(self, student: int, place: Row, progress: Row) -> int:
        """When it was stored: later than what was stored before."""
        at = max(_now(), self.progress(student)["at"] + 1)
        self._change(_STUDENTS.update().where(_STUDENTS.c.id == student).values(seen=_now()),
                     _PROGRESS.delete().where(_PROGRESS.c.student == student),
                     _PROGRESS.insert().values(student=student, place=json.dumps(place), progress=json.dumps(progress), at=at))
        return at

    def progress(self, student: int) -> Row:
        rows = self._rows(sql.select(_PROGRESS).where(_PROGRESS.c.student == student))
        row = rows[0] if rows else {"place": "{}", "progress": "{}", "at": 0}
        return {"place": json.loads(row["place"]), "progress": json.loads(row["progress"]), "at": row["at"]}

    def vote(self, student: int, question: str, answer: str, correct: Optional[bool]) -> None:
        """Replaces an earlier one."""
        self._change(_VOTES.delete().where((_VOTES.c.student == student) & (_VOTES.c.question == question)),
                     _VOTES.insert().values(student=student, question=question, answer=answer, correct=correct, at=_now()))

    def tallies(self, questions: list[str]) -> dict[str, list[Row]]:
        """For each question, `answer`, `correct` and `count` of each answer, the commonest first."""
        found: dict[str, list[Row]] = {question: [] for question in questions}
        count = sql.func.count().label("count")
        columns = (_VOTES.c.question, _VOTES.c.answer, _VOTES.c.correct)
        for row in self._rows(sql.select(*columns, count).where(_VOTES.c.question.in_(questions)).group_by(*columns)
                              .order_by(count.desc(), _VOTES.c.answer)):
            found[row["question"]].append({name: row[name] for name in ("answer", "correct", "count")})
        return found

    def last_questions(self, most: int) -> list[str]:
        """Those that were voted on last, the last one first."""
        at = sql.func.max(_VOTES.c.at)
        return [row["question"] for row in self._rows(sql.select(_VOTES.c.question).group_by(_VOTES.c.question)
                                                      .order_by(at.desc(), _VOTES.c.question).limit(most))]

    def add_hand_in(self, student: int, challenge: str, language: str, source: str) -> int:
        with self._engine.begin() as connection:
            made = connection.execute(_HAND_INS.insert().values(student=student, challenge=challenge, language=language,
                                                                source=source, at=_now()))
            return int(made.inserted_primary_key[0])

    def set_verdict(self, hand_in: int, verdict: Row) -> None:
        self._change(_HAND_INS.update().where(_HAND_INS.c.id == hand_in).values(verdict=json.dumps(verdict)))

    def hand_ins(self, student: Optional[int] = None, with_source: bool = False, unjudged: bool = False) -> list[Row]:
        """In the order in which they came, with the student's name."""
        columns = [column for column in _HAND_INS.c if with_source or column.name != "source"]
        query = sql.select(*columns, _STUDENTS.c.name).join(_STUDENTS).order_by(_HAND_INS.c.id)
        if student is not None:
            query = query.where(_HAND_INS.c.student == student)
        if unjudged:
            query = query.where(_HAND_INS.c.verdict.is_(None))
        return [{**row, "verdict": json.loads(row["verdict"]) if row["verdict"] else None} for row in self._rows(query)]

    def backup(self, to: Path) -> None:
        """A copy of the whole store, also while a server writes to it."""
        with sqlite3.connect(self.file) as source, sqlite3.connect(to) as copy:
            source.backup(copy)
        to.chmod(0o600)
