"""Follows a class for the projector's window: one line of JSON for each state of the class that its server tells.

The teacher's link is in WARPLENS_CLASS and not among the arguments, which other users of the machine can read. What goes wrong
is a line {"problem": …}; a link that the server refuses ends it.
"""
import http.cookiejar
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

WAIT_SECONDS = 3
SILENT_SECONDS = 60  # the server gives a sign of life every 20 s


def tell(**said):
    print(json.dumps(said), flush=True)


def follow(address, token):
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    enter = urllib.request.Request(f"{address}/api/teacher/enter", json.dumps({"token": token}).encode(), {"Content-Type": "application/json"})
    with browser.open(enter, timeout=SILENT_SECONDS) as came:
        came.read()
    with browser.open(f"{address}/api/teacher/live", timeout=SILENT_SECONDS) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                state = json.loads(line[6:])
                tell(name=state["class"], students=len(state["students"]), room=state["room"], tallies=state["tallies"])


def main():
    link = urllib.parse.urlsplit(os.environ.pop("WARPLENS_CLASS"))
    address = f"{link.scheme}://{link.netloc}"
    while True:
        try:
            follow(address, link.fragment)
            why = "the server has ended the connection"
        except urllib.error.HTTPError as error:
            if error.code in (401, 403, 404):
                tell(problem=f"{address} refuses the link ({error.code}): is it the teacher's, of this class?")
                return 1
            why = f"status {error.code}"
        except (OSError, ValueError, KeyError) as error:
            why = str(getattr(error, "reason", error))
        tell(problem=f"{address} does not answer: {why}.")
        time.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
