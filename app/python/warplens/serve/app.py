"""The addresses of a class: what students and the teacher can ask for."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import re
import traceback
from pathlib import Path
from typing import Any, AsyncIterator, Awaitable, Callable, Optional

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from . import tables
from .guard import WINDOW_PATH, Guard, refused
from .identity import SESSION_SECONDS, TEACHERS_SECONDS, Identity, Tries, new_code, same
from .live import Changes, Streams
from .settings import Settings
from .store import Row, Store, folded
from .work import MOST_SOURCE_BYTES, Busy, Cache, Programs, Turns

_PAGES = Path(__file__).with_name("pages")
_FILES = {path.name: path for path in _PAGES.iterdir() if path.suffix in (".js", ".css")}
_STUDENT, _TEACHER = "warplens", "warplens_teacher"
_MOST_STUDENTS = 1000
_MOST_QUESTIONS = 8  # whose answers are shown while they come in
_RETENTION_SECONDS = 3600
_NAME = re.compile(r"[^\x00-\x1f\x7f]{1,60}")
_SOURCE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}\.cu")
_CAPABILITY = re.compile(r"[0-9]{1,2}\.[0-9]")
_QUIET_ROOM: Row = {"to": None, "reveal": False, "locked": False, "message": ""}


def text_of(body: Row, name: str, most: int, least: int = 1) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not least <= len(value.encode(errors="replace")) <= most or "\0" in value:
        raise HTTPException(400, f"{name}: a text of {least} to {most} bytes.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise HTTPException(400, f"{name}: it is no text.") from None
    return value


async def body_of(request: Request) -> Row:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "The body is no JSON.") from None
    if not isinstance(body, dict):
        raise HTTPException(400, "Send a JSON object.")
    return body


def place_in(value: Any) -> Row:
    """Where a student is: a lesson with its step, or a challenge."""
    if not isinstance(value, dict):
        raise HTTPException(400, "place: a lesson and a step, or a challenge.")
    return {name: text_of(value, name, 80) for name in ("lesson", "step", "challenge") if value.get(name) is not None}


class Class:
    """One class while it is served."""

    def __init__(self, settings: Settings, store: Store, identity: Identity, programs: Programs, workers: int):
        self.settings, self.identity, self.programs = settings, identity, programs
        self._store = store
        # All calls of the store, one after the other.
        self._desk = concurrent.futures.ThreadPoolExecutor(1, "store")
        self.turns, self.cache = Turns(workers), Cache()
        self.changes, self.room_changes, self.streams = Changes(), Changes(), Streams()
        self.questions = store.last_questions(_MOST_QUESTIONS)  # that students vote on now, the last one first
        self.room: Row = {**_QUIET_ROOM, **store.value("room", _QUIET_ROOM)}
        # A class shares one address, so the limit of an address is high. That of a name is the strict one.
        self.tries_of_name, self.tries_of_address = Tries(10, 600), Tries(300, 600)
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._desk, call, *arguments)

    @property
    def store(self) -> Store:
        """For ask()."""
        return self._store

    # Who asks

    def check_tries(self, request: Request, name: str) -> tuple[str, str]:
        """The two that are limited. Refuses those that have tried too often."""
        address = request.client.host if request.client else ""
        if self.tries_of_name.are_over(folded(name)) or self.tries_of_address.are_over(address):
            raise HTTPException(429, "Too many wrong codes. Wait ten minutes, or ask your teacher for a new code.")
        return folded(name), address

    def note_wrong(self, who: tuple[str, str]) -> HTTPException:
        self.tries_of_name.note_wrong(who[0])
        self.tries_of_address.note_wrong(who[1])
        return HTTPException(403, "The name or the code is wrong.")

    def _set_cookie(self, answer: Response, name: str, who: Row, seconds: int) -> None:
        answer.set_cookie(name, self.identity.session(who), max_age=seconds, httponly=True, samesite="strict",
                          secure=self.settings.is_public, path="/")

    async def student_of(self, request: Request) -> Row:
        who = self.identity.read_session(request.cookies.get(_STUDENT, ""))
        student = await self.ask(self.store.student, who["student"]) if who and isinstance(who.get("student"), int) else None
        if student is None or who is None or student["epoch"] != who.get("epoch"):
            raise HTTPException(401, "Join the class first.")
        return dict(student)

    def check_teacher(self, request: Request) -> None:
        who = self.identity.read_session(request.cookies.get(_TEACHER, ""))
        if who is None or who.get("teacher") is not True:
            raise HTTPException(401, "Open the teacher's link first.")

    def entered(self, student: Row, **more: Any) -> Response:
        answer = JSONResponse({"name": student["name"], **more})
        self._set_cookie(answer, _STUDENT, {"student": student["id"], "epoch": student["epoch"]}, SESSION_SECONDS)
        return answer

    def teacher_entered(self) -> Response:
        answer = JSONResponse({"class": self.settings.class_name})
        self._set_cookie(answer, _TEACHER, {"teacher": True}, TEACHERS_SECONDS)
        return answer

    def name_for(self, with_names: bool) -> tables.Name:
        return (lambda student: student["name"]) if with_names else (lambda student: self.identity.pseudonym(student["id"]))

    # Work

    async def compile(self, who: Any, source: str, name: str, capability: str, debug: bool) -> Row:
        key = self.programs.key(source, name, capability, debug)
        known = self.cache.find(key)
        if known is not None:
            return known

        async def job() -> Row:
            return self.cache.find(key) or await self.programs.compile(source, name, capability, debug)

        answer = await self.turns.run(who, job)
        self.cache.keep(key, answer)
        return answer

    async def judge_hand_in(self, hand_in: Row) -> Row:
        verdict = await self.turns.run(hand_in["student"], lambda: self.programs.judge(hand_in["challenge"], hand_in["language"],
                                                                                        hand_in["source"]))
        await self.ask(self.store.set_verdict, hand_in["id"], verdict)
        self.changes.note()
        return verdict

    async def _judge_what_waits(self) -> None:
        """What was handed in before the server ended, and not judged."""
        for hand_in in await self.ask(lambda: self.store.hand_ins(with_source=True, unjudged=True)):
            with contextlib.suppress(Busy):
                await self.judge_hand_in(hand_in)

    async def _delete_old(self) -> None:
        while True:
            await self.ask(self.store.forget_unseen, self.settings.keep_days)
            self.changes.note()
            await asyncio.sleep(_RETENTION_SECONDS)

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._tasks = {asyncio.create_task(work) for work in (self._judge_what_waits(), self._delete_old())}
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            self._desk.shutdown()

    def end_streams(self) -> None:
        self.changes.end()
        self.room_changes.end()

    # What the teacher sees

    def overview(self, with_names: bool) -> Row:
        """Runs in the store's thread."""
        name = self.name_for(with_names)
        hand_ins = self.store.hand_ins()
        stars = tables.best_stars(hand_ins)
        questions = self.questions  # as they are now: a vote replaces the list
        students = [{"id": one["id"], "name": name(one), "place": one["place"], "seen": one["seen"],
                     "stars": stars.get(one["id"], {})} for one in self.store.students()]
        names = {one["id"]: one["name"] for one in students}
        tallies = self.store.tallies(questions)
        wrong = next((one for one in tallies[questions[0]] if one["correct"] is False), None) if questions else None
        return {"class": self.settings.class_name, "room": self.room, "students": students,
                "question": questions[0] if questions else None, "tallies": tallies, "commonest_wrong": wrong["answer"] if wrong else None,
                "hand_ins": [{"student": names[one["student"]], "challenge": one["challenge"], "at": one["at"],
                              "right": (one["verdict"] or {}).get("right"), "stars": (one["verdict"] or {}).get("stars"),
                              "reason": (one["verdict"] or {}).get("reason"), "message": (one["verdict"] or {}).get("message")}
                             for one in hand_ins[-100:]]}


Handler = Callable[[Class, Request], Awaitable[Response]]


# Students

async def join(of: Class, request: Request) -> Response:
    body = await body_of(request)
    name, code = text_of(body, "name", 240).strip(), text_of(body, "code", 80)
    if not _NAME.fullmatch(name) or not folded(name):
        raise HTTPException(400, "name: one line of up to 60 letters.")
    who = of.check_tries(request, name)
    if not of.identity.is_class_code(code):
        raise of.note_wrong(who)
    if len(await of.ask(of.store.students)) >= _MOST_STUDENTS:
        raise HTTPException(403, "The class is full.")
    resume_code = new_code(3)
    student = await of.ask(of.store.add_student, name, of.identity.hash_of(resume_code))
    if student is None:
        raise HTTPException(409, "The class has this name already. If it is yours, come back with your own code; if not, "
                                 "choose another name.")
    of.changes.note()
    return of.entered(student, resume_code=resume_code)


async def resume(of: Class, request: Request) -> Response:
    body = await body_of(request)
    name, code = text_of(body, "name", 240), text_of(body, "code", 80)
    who = of.check_tries(request, name)
    student = await of.ask(of.store.student_named, name)
    # Where there is no such student, it takes as long.
    right = same(of.identity.hash_of(code), student["code_hash"] if student else "0" * 64)
    if student is None or not right:
        raise of.note_wrong(who)
    await of.ask(of.store.seen, student["id"])
    of.changes.note()
    return of.entered(student)


async def leave(_of: Class, _request: Request) -> Response:
    answer = JSONResponse({})
    answer.delete_cookie(_STUDENT, path="/")
    return answer


async def me(of: Class, request: Request) -> Response:
    student = await of.student_of(request)
    return JSONResponse({"name": student["name"], "class": of.settings.class_name, "room": of.room,
                         **await of.ask(of.store.progress, student["id"]), "challenges": of.programs.challenges,
                         "has_window": of.settings.page is not None})


async def compile_source(of: Class, request: Request) -> Response:
    student, body = await of.student_of(request), await body_of(request)
    source, name = text_of(body, "source", MOST_SOURCE_BYTES, 0), text_of(body, "name", 80)
    capability = text_of(body, "compute_capability", 8)
    if not _SOURCE_NAME.fullmatch(name) or name.startswith((".", "-")):
        raise HTTPException(400, "name: as kernel.cu.")
    if not _CAPABILITY.fullmatch(capability):
        raise HTTPException(400, "compute_capability: as 8.6.")
    return JSONResponse(await of.compile(student["id"], source, name, capability, body.get("debug") is True))


def _answer_in(of: Class, body: Row) -> tuple[str, str, str]:
    """The challenge, the language, and the source."""
    challenge, source = text_of(body, "challenge", 80), text_of(body, "source", MOST_SOURCE_BYTES)
    language = text_of(body, "language", 8) if "language" in body else "cuda"
    if challenge not in of.programs.challenges:  # so it is never a path
        raise HTTPException(400, "challenge: there is none of this name.")
    if language not in ("cuda", "numba"):
        raise HTTPException(400, "language: cuda or numba.")
    if language == "numba" and not of.settings.numba:
        raise HTTPException(403, "This class takes answers in CUDA C++ alone. Your teacher can allow Python: warplens serve --numba.")
    return challenge, language, source


async def judge(of: Class, request: Request) -> Response:
    student = await of.student_of(request)
    answer = _answer_in(of, await body_of(request))
    return JSONResponse(await of.turns.run(student["id"], lambda: of.programs.judge(*answer)))


async def hand_in(of: Class, request: Request) -> Response:
    """It is stored first. Whatever becomes of the verdict, it is not lost."""
    student = await of.student_of(request)
    challenge, language, source = _answer_in(of, await body_of(request))
    _check_open(of)
    number = await of.ask(of.store.add_hand_in, student["id"], challenge, language, source)
    of.changes.note()
    one = {"id": number, "student": student["id"], "challenge": challenge, "language": language, "source": source}
    try:
        verdict: Optional[Row] = await of.judge_hand_in(one)
    except Busy:
        verdict = None  # judged when the server starts the next time
    return JSONResponse({"id": number, "verdict": verdict})


async def own_hand_ins(of: Class, request: Request) -> Response:
    student = await of.student_of(request)
    rows = await of.ask(lambda: of.store.hand_ins(student["id"], with_source=True))
    return JSONResponse([{name: one[name] for name in ("id", "challenge", "language", "source", "verdict", "at")} for one in rows])


async def progress(of: Class, request: Request) -> Response:
    student, body = await of.student_of(request), await body_of(request)
    place, done = place_in(body.get("place") or {}), body.get("progress")
    if not isinstance(done, dict):
        raise HTTPException(400, "progress: a JSON object.")
    at = await of.ask(of.store.set_progress, student["id"], place, done)
    of.changes.note()
    return JSONResponse({"at": at})


async def vote(of: Class, request: Request) -> Response:
    student, body = await of.student_of(request), await body_of(request)
    question, answer = text_of(body, "question", 200), text_of(body, "answer", 200)
    correct = body.get("correct")
    _check_open(of)
    await of.ask(of.store.vote, student["id"], question, answer, correct if isinstance(correct, bool) else None)
    of.questions = [question, *(one for one in of.questions if one != question)][:_MOST_QUESTIONS]
    of.changes.note()
    return JSONResponse({})


def _check_open(of: Class) -> None:
    if of.room["locked"]:
        raise HTTPException(423, "Your teacher has locked answers for now.")


async def room(of: Class, request: Request) -> Response:
    student = await of.student_of(request)
    if of.streams.is_full(student["id"]):
        raise HTTPException(429, "Too many pages are open.")

    async def state() -> Optional[Row]:
        now = await of.ask(of.store.student, student["id"])
        return of.room if now and now["epoch"] == student["epoch"] else None  # deleted, or has a new code

    return of.streams.open(student["id"], of.room_changes, state)


# The teacher

async def teacher_enter(of: Class, request: Request) -> Response:
    body = await body_of(request)
    who = of.check_tries(request, "\x00teacher")
    if not of.identity.is_teacher(text_of(body, "token", 80)):
        raise of.note_wrong(who)
    return of.teacher_entered()


def _with_names(request: Request) -> bool:
    return request.query_params.get("names") == "1"


async def teacher_class(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    return JSONResponse(await of.ask(of.overview, _with_names(request)))


async def teacher_live(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    if of.streams.is_full("teacher"):
        raise HTTPException(429, "Too many pages are open.")
    with_names = _with_names(request)
    return of.streams.open("teacher", of.changes, lambda: of.ask(of.overview, with_names))


async def teacher_room(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    body = await body_of(request)
    new = dict(of.room)
    if "to" in body:
        new["to"] = place_in(body["to"]) if body["to"] is not None else None
        new["reveal"] = False
    for name in ("locked", "reveal"):
        if name in body:
            if not isinstance(body[name], bool):
                raise HTTPException(400, f"{name}: true or false.")
            new[name] = body[name]
    if new["reveal"] and not (new["to"] or {}).get("step"):
        raise HTTPException(400, "reveal: send everybody to a step first.")
    if "message" in body:
        new["message"] = text_of(body, "message", 500, 0)
    await of.ask(of.store.set_value, "room", new)
    of.room = new
    of.room_changes.note()
    of.changes.note()
    return JSONResponse(new)


async def _named_student(of: Class, request: Request) -> Row:
    body = await body_of(request)
    number = body.get("student")
    student = await of.ask(of.store.student, number) if type(number) is int and abs(number) < 1 << 62 else None
    if student is None:
        raise HTTPException(404, "There is no such student.")
    return dict(student)


async def teacher_code(of: Class, request: Request) -> Response:
    """A new resume code. The student's sessions end."""
    of.check_teacher(request)
    student = await _named_student(of, request)
    code = new_code(3)
    await of.ask(of.store.set_code, student["id"], of.identity.hash_of(code))
    of.tries_of_name.clear(student["folded"])
    of.room_changes.note()
    return JSONResponse({"name": student["name"], "resume_code": code})


async def teacher_forget(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    student = await _named_student(of, request)
    await of.ask(of.store.forget, student["name"])
    of.changes.note()
    of.room_changes.note()
    return JSONResponse({})


async def teacher_csv(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    text = await of.ask(tables.class_csv, of.store, of.name_for(_with_names(request)))
    return Response(text, media_type="text/csv", headers={"Content-Disposition": 'attachment; filename="class.csv"'})


async def teacher_archive(of: Class, request: Request) -> Response:
    of.check_teacher(request)
    data = await of.ask(tables.archive, of.store, of.name_for(_with_names(request)))
    return Response(data, media_type="application/zip", headers={"Content-Disposition": 'attachment; filename="class.zip"'})


# Pages

async def student_page(_of: Class, _request: Request) -> Response:
    return FileResponse(_PAGES / "student.html")


async def teacher_page(_of: Class, _request: Request) -> Response:
    return FileResponse(_PAGES / "teacher.html")


async def file(_of: Class, request: Request) -> Response:
    path = _FILES.get(request.path_params["name"])
    return FileResponse(path) if path else refused(404, "There is no such page.")


_GET: dict[str, Handler] = {
    "/": student_page, "/teacher": teacher_page, "/files/{name}": file,
    "/api/me": me, "/api/hand_ins": own_hand_ins, "/api/room": room,
    "/api/teacher/class": teacher_class, "/api/teacher/live": teacher_live,
    "/api/teacher/class.csv": teacher_csv, "/api/teacher/class.zip": teacher_archive,
}
_POST: dict[str, Handler] = {
    "/api/join": join, "/api/resume": resume, "/api/leave": leave, "/api/compile": compile_source, "/api/judge": judge,
    "/api/hand_in": hand_in, "/api/progress": progress, "/api/vote": vote,
    "/api/teacher/enter": teacher_enter, "/api/teacher/room": teacher_room, "/api/teacher/code": teacher_code,
    "/api/teacher/forget": teacher_forget,
}


async def _refuse(_request: Request, error: Exception) -> Response:
    return refused(error.status_code, error.detail) if isinstance(error, HTTPException) else refused(503, str(error))


def application(of: Class) -> Starlette:
    def route(path: str, handler: Handler, method: str) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(of, request)
            except (HTTPException, Busy):
                raise
            except Exception:  # the answer says nothing of it
                traceback.print_exc()
                return refused(500, "The server made a mistake.")
        return Route(path, endpoint, methods=[method])

    routes: list[BaseRoute] = [route(path, handler, "GET") for path, handler in _GET.items()]
    routes += [route(path, handler, "POST") for path, handler in _POST.items()]
    if of.settings.page is not None:
        routes.append(Mount(WINDOW_PATH.rstrip("/"), StaticFiles(directory=of.settings.page, html=True)))
    return Starlette(routes=routes, lifespan=of.lifespan, middleware=[Middleware(Guard, settings=of.settings)],
                     exception_handlers={HTTPException: _refuse, Busy: _refuse})
