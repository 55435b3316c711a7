"""What each request has to pass, and the headers that each answer has."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .settings import Settings

MOST_BODY_BYTES = 1 << 20
BODY_SECONDS = 20

# Pages of ours are plain: no script in the text of a page, nothing from another host, no frame.
_PAGES = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
# The window is a program in WebAssembly with workers, and its page has its style in its text.
_WINDOW = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
           "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
WINDOW_PATH = "/window/"


def refused(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)


class Guard:
    """Refuses other hosts' names, other sites, bodies that are large or slow or no JSON; adds the headers."""

    def __init__(self, app: ASGIApp, settings: Settings):
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":
            return None  # no WebSockets

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        problem = self._problem(scope)
        if problem is None and scope["method"] not in ("GET", "HEAD"):
            body = await _read(Headers(scope=scope), receive)
            if isinstance(body, bytes):
                return await self._app(scope, _replay(body, receive), answer)
            problem = body
        if problem is not None:
            return await problem(scope, receive, answer)
        return await self._app(scope, receive, answer)

    def _problem(self, scope: Scope) -> Any:
        headers = Headers(scope=scope)
        # By its name in another domain, a page of that domain could read our answers.
        if urlsplit("//" + headers.get("host", "")).hostname not in self._settings.names:
            return refused(421, "This server has another address.")
        if self._settings.is_public and scope["scheme"] != "https":
            return refused(403, "This class is served by https only.")
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is not None and urlsplit(origin).netloc != headers.get("host"):
                return refused(403, "This request comes from another site.")
            # Pages of other sites cannot send it.
            if headers.get("content-type", "").split(";")[0].strip() != "application/json":
                return refused(415, "Send JSON.")
        return None

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        is_window = scope["path"].startswith(WINDOW_PATH)
        headers["Content-Security-Policy"] = _WINDOW if is_window else _PAGES
        if not is_window:
            headers["Cache-Control"] = "no-store"
        if self._settings.is_public:
            headers["Strict-Transport-Security"] = "max-age=31536000"


async def _read(headers: Headers, receive: Receive) -> Any:
    """The body, or what is wrong with it."""
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > MOST_BODY_BYTES:
        return refused(413, f"At most {MOST_BODY_BYTES} bytes.")
    body = bytearray()
    with anyio.move_on_after(BODY_SECONDS):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return refused(400, "The request ended.")
            body += message.get("body", b"")
            if len(body) > MOST_BODY_BYTES:
                return refused(413, f"At most {MOST_BODY_BYTES} bytes.")
            if not message.get("more_body"):
                return bytes(body)
    return refused(408, "The request took too long.")


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent:
            return await receive()  # waits for the end of the connection
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
