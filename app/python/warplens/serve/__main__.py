"""`warplens serve`, and `python -m warplens.serve`."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import IO, Any, Optional, Sequence

try:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from . import tables
    from .app import Class, application
    from .identity import Identity, new_code
    from .store import Store
except ImportError as error:
    print(f"warplens serve: {error.name} is not installed. Its packages are those of: pip install 'warplens[serve]'",
          file=sys.stderr)
    sys.exit(3)
from .._program import WarpLensError
from .settings import LAN_WARNING, Refused, Settings, parse_arguments, settings_of
from .work import Programs, default_workers

_MOST_CONNECTIONS = 2000
_FIRST_REQUEST_SECONDS = 10


class Connection(H11Protocol):
    """A connection that asks for nothing is closed. uvicorn closes those only that have asked before."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._first = self.loop.call_later(_FIRST_REQUEST_SECONDS, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


class Server(uvicorn.Server):
    """Ends the streams first: they would wait for changes that never come."""

    def __init__(self, config: uvicorn.Config, served: Class):
        super().__init__(config)
        self._served = served

    async def shutdown(self, sockets: Optional[list[socket.socket]] = None) -> None:
        self._served.end_streams()
        await super().shutdown(sockets)


def _value(store: Store, name: str, new: str) -> str:
    """A class's own value, made once."""
    value = store.value(name)
    if value is None:
        store.set_value(name, value := new)
    return str(value)


def _open(settings: Settings) -> tuple[Store, Identity, str]:
    store = Store(settings.store / "class.sqlite")
    code = _value(store, "class_code", new_code(2))
    return store, Identity(_value(store, "key", secrets.token_hex(32)), code), code


def _lock(settings: Settings) -> IO[str]:
    settings.store.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = open(settings.store / "lock", "w", encoding="utf-8")  # noqa: SIM115  (open while the server runs)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Refused(f"Another server has this class open ({settings.store}).") from None
    return file


async def _checked_programs(settings: Settings, store: Store) -> Programs:
    programs = Programs(settings.compiler, settings.seed)
    await programs.look()
    if not programs.challenges:
        raise Refused("The program of WarpLens does not say which challenges it has.")
    if why := await programs.why_open(store.file):
        raise Refused(f"Code of students cannot be compiled safely on this machine, so nothing is served: {why}")
    if settings.numba and (why := await programs.why_no_python(store.file)):
        raise Refused(f"--numba: answers in Python cannot be judged safely on this machine, so nothing is served: {why}")
    return programs


def _bind(settings: Settings) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
        bound.listen(256)  # who comes before all has started, waits
    except OSError as error:
        raise Refused(f"{settings.host}:{settings.port}: {os.strerror(error.errno or 0)}. --port chooses another port, or any "
                      "that is free with 0.") from None
    return bound


def _say(settings: Settings, port: int, identity: Identity, code: str) -> None:
    address = settings.address or f"http://{settings.host}:{port}"
    if settings.lan:
        print(f"warplens serve: {LAN_WARNING}", file=sys.stderr)
    print(f"{settings.class_name}\n"
          f"  students    {address}/\n"
          f"  class code  {code}\n"
          f"  teacher     {address}/teacher#{identity.teacher_token}\n"
          f"  stored in   {settings.store}, for {settings.keep_days} days\n"
          "Ctrl+C ends it. What is stored stays.", flush=True)


def serve(settings: Settings) -> int:
    lock = _lock(settings)
    store, identity, code = _open(settings)
    programs = asyncio.run(_checked_programs(settings, store))
    bound = _bind(settings)
    served = Class(settings, store, identity, programs, default_workers())
    config = uvicorn.Config(
        application(served), http=Connection, ws="none", log_level="warning", access_log=False, server_header=False,
        limit_concurrency=_MOST_CONNECTIONS, timeout_keep_alive=20, timeout_graceful_shutdown=3, h11_max_incomplete_event_size=16384,
        ssl_certfile=settings.certificate, ssl_keyfile=settings.private_key,
        proxy_headers=settings.proxy is not None, forwarded_allow_ips=settings.proxy or "")
    try:
        config.load()
    except OSError as error:
        raise Refused(f"--certificate, --key: {error.strerror or error}") from None
    _say(settings, bound.getsockname()[1], identity, code)
    Server(config, served).run(sockets=[bound])
    store.close()
    lock.close()
    return 0


def _maintain(options: Any, settings: Settings) -> int:
    """The commands that end at once. A server may run meanwhile."""
    if not (settings.store / "class.sqlite").is_file():
        raise Refused(f"There is no such class: {settings.store} has no class.sqlite.")
    store, identity, _ = _open(settings)
    if options.forget is not None:
        if not store.forget(options.forget):
            raise Refused(f"The class has no student {options.forget}.")
        print(f"Everything about {options.forget} is deleted.")
    if options.export is not None:
        _write(options.export, tables.archive(store, (lambda student: student["name"]) if options.names else
                                              (lambda student: identity.pseudonym(student["id"]))))
    if options.backup is not None:
        store.backup(options.backup)
    store.close()
    return 0


def _write(path: Path, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


def main(words: Optional[Sequence[str]] = None) -> int:
    options = parse_arguments(words)
    try:
        settings = settings_of(options)
        if options.forget is not None or options.export is not None or options.backup is not None:
            return _maintain(options, settings)
        return serve(settings)
    except Refused as refusal:
        print(f"warplens serve: {refusal}", file=sys.stderr)
        return 2
    except WarpLensError as error:
        print(f"warplens serve: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"warplens serve: {error.filename or ''}: {error.strerror}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
