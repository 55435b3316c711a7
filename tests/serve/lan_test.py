"""A second machine of the network: lan_test.py WARPLENS. Two network namespaces have one cable, and the server runs in the first with
--lan. Skipped where this user may not make namespaces."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support  # noqa: E402

SERVER, STUDENT = "10.77.0.1", "10.77.0.2"
INSIDE = "WARPLENS_SERVE_TEST_NETWORK"  # the process that keeps the second machine's namespace

# The other end of the cable stays with a process that sleeps.
CABLE = f"""
ip link add name near type veth peer name far
unshare --net sleep 600 & other=$!
until ip link set far netns $other 2>/dev/null && ! ip link show far >/dev/null 2>&1; do sleep 0.05; done
ip address add {SERVER}/24 dev near
ip link set near up
ip link set lo up
nsenter --net --target $other ip address add {STUDENT}/24 dev far
nsenter --net --target $other ip link set far up
{INSIDE}=$other "$@"
status=$?
kill $other
exit $status
"""

BROWSER = """
import sys
sys.path.insert(0, {folder!r})
import httpx, support
address, code = sys.argv[1:]
client = support.Client(address)
came = client.get("/")
assert came.status_code == 200 and "Join the class" in came.text
joined = client.post("/api/join", {{"name": "Far away", "code": code}})
assert joined.status_code == 200, joined.text
said = client.post("/api/compile", {{"name": "kernel.cu", "compute_capability": "8.6", "source": support.answer("right.cu")}}).json()
assert said["ok"], said
assert client.get("/api/me", headers={{"Host": "localhost"}}).status_code == 421
print("in the class")
"""


class SecondMachine(unittest.TestCase):
    def on_the_other_machine(self, *words):
        return subprocess.run(["nsenter", "--net", "--target", os.environ[INSIDE], *words], capture_output=True, text=True, timeout=60)

    def ask(self, server, address):
        script = BROWSER.format(folder=str(pathlib.Path(__file__).parent))
        return self.on_the_other_machine(sys.executable, "-B", "-c", script, address, server.code)

    def test_it_reaches_the_class_with_lan(self):
        with tempfile.TemporaryDirectory() as folder:
            server = support.AsProcess(pathlib.Path(folder) / "store", "--lan", SERVER)
            self.addCleanup(server.close)
            self.assertEqual(server.address.rsplit(":", 1)[0], f"http://{SERVER}")
            done = self.ask(server, server.address)
            self.assertEqual(done.stdout, "in the class\n", done.stderr)

    def test_it_reaches_nothing_without_lan(self):
        with tempfile.TemporaryDirectory() as folder:
            server = support.AsProcess(pathlib.Path(folder) / "store")
            self.addCleanup(server.close)
            port = server.address.rsplit(":", 1)[1]
            for host in (SERVER, "127.0.0.1"):
                done = self.ask(server, f"http://{host}:{port}")
                self.assertIn("ConnectError", done.stderr)


def main():
    if INSIDE not in os.environ:
        if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
            print("skipped: util-linux or iproute2 is not installed")
            sys.exit(support.SKIPPED)
        mine = ["unshare", "--map-root-user", "--user", "--net"]
        if subprocess.run([*mine, "ip", "link", "add", "name", "near", "type", "veth", "peer", "name", "far"], capture_output=True).returncode:
            print("skipped: this user may not make network namespaces")
            sys.exit(support.SKIPPED)
        sys.exit(subprocess.run([*mine, "bash", "-c", CABLE, "cable", sys.executable, "-B", *sys.argv]).returncode)
    support.main()


if __name__ == "__main__":
    main()
