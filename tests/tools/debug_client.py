"""A client of the Debug Adapter Protocol, for tests and measurements of `warplens debug`."""
import json
import subprocess


class Client:
    """Talks over two files. `events` are those that came and were not asked for yet."""

    def __init__(self, reads, writes):
        self.reads, self.writes, self.seq, self.events = reads, writes, 0, []

    def send(self, command, **arguments):
        self.seq += 1
        text = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.writes.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.writes.flush()
        return self.seq

    def receive(self):
        length = 0
        while line := self.reads.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length == 0:
            raise EOFError("the server has ended")
        return json.loads(self.reads.read(length))

    def ask(self, command, **arguments):
        """The body of the answer; an error if it is refused."""
        number = self.send(command, **arguments)
        while True:
            message = self.receive()
            if message["type"] == "response" and message["request_seq"] == number:
                if not message["success"]:
                    raise ValueError(message["message"])
                return message.get("body", {})
            self.events.append(message)

    def wait(self, event):
        """The body of the next event of this name."""
        while True:
            for i, message in enumerate(self.events):
                if message.get("event") == event:
                    del self.events[i]
                    return message.get("body", {})
            self.events.append(self.receive())

    def launch(self, **settings):
        self.ask("initialize", adapterID="warplens")
        self.ask("launch", **settings)
        self.wait("initialized")

    def move(self, command, **arguments):
        self.ask(command, **arguments)
        return self.wait("stopped")

    def line(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"][0]["line"]


def started(program):
    """A server on standard input and output, and its client."""
    process = subprocess.Popen([program, "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return process, Client(process.stdout, process.stdin)
