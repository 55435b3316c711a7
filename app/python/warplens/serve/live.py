"""What is live: pages get the present state again whenever it has changed (Server-Sent Events). A page that missed some of it
lacks nothing."""

from __future__ import annotations

import asyncio
import collections
import json
from typing import Any, AsyncIterator, Awaitable, Callable

from starlette.responses import StreamingResponse

_MOST_OF_ONE = 8  # pages that somebody may have open
_AT_MOST_EVERY_SECONDS = 0.25
_SIGN_OF_LIFE_SECONDS = 20


class Changes:
    """Wakes those who wait for a change."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.is_over = False

    def note(self) -> None:
        event, self._event = self._event, asyncio.Event()
        event.set()

    def end(self) -> None:
        self.is_over = True
        self.note()

    def next(self) -> asyncio.Event:
        return self._event


class Streams:
    """Counts the open streams of each reader."""

    def __init__(self) -> None:
        self._open: collections.Counter[Any] = collections.Counter()

    def is_full(self, who: Any) -> bool:
        return self._open[who] >= _MOST_OF_ONE

    def open(self, who: Any, changes: Changes, state: Callable[[], Awaitable[Any]]) -> StreamingResponse:
        """Sends `state` now and after each change, until it is None."""
        return StreamingResponse(self._pieces(who, changes, state), media_type="text/event-stream")

    async def _pieces(self, who: Any, changes: Changes, state: Callable[[], Awaitable[Any]]) -> AsyncIterator[str]:
        self._open[who] += 1
        try:
            last = ""
            while not changes.is_over:
                changed = changes.next()
                now = await state()
                if now is None:
                    return
                text = json.dumps(now)  # in one line
                if text != last:
                    yield f"data: {text}\n\n"
                    last = text
                    await asyncio.sleep(_AT_MOST_EVERY_SECONDS)
                try:
                    await asyncio.wait_for(changed.wait(), _SIGN_OF_LIFE_SECONDS)
                except asyncio.TimeoutError:
                    yield ": \n\n"  # finds out whether somebody still reads
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
