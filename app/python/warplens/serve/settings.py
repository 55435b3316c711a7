"""What the command line of `warplens serve` says, checked."""

from __future__ import annotations

import argparse
import hashlib
import ipaddress
import os
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional, Sequence
from urllib.parse import urlsplit


class Refused(Exception):
    """A sentence that says what the teacher can do."""


@dataclass(frozen=True)
class Settings:
    store: Path
    class_name: str
    host: str = "127.0.0.1"
    port: int = 8321
    names: frozenset[str] = field(default_factory=frozenset)  # that the Host header may have, without the port
    address: str = ""  # as students type it; empty: that of host and port
    lan: bool = False
    certificate: Optional[str] = None
    private_key: Optional[str] = None
    proxy: Optional[str] = None  # the only address that may say by which protocol a request came
    compiler: str = "clang"
    numba: bool = False  # judge answers in Python, which are programs
    page: Optional[Path] = None  # the folder that tools/web makes
    keep_days: int = 180
    seed: int = 1

    @property
    def is_public(self) -> bool:
        return self.certificate is not None or self.proxy is not None


LAN_WARNING = ("On this network, anybody who can see its traffic can read the codes and the work of students: --lan has no "
               "encryption. Use it only in a network that you trust.")


def default_store(class_name: str) -> Path:
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    readable = re.sub(r"[^a-z0-9]+", "-", class_name.lower()).strip("-")[:40] or "class"
    return base / "warplens" / "classes" / f"{readable}-{hashlib.sha256(class_name.encode()).hexdigest()[:6]}"


def _own_private_address() -> str:
    """That of the network by which this machine reaches others. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            return str(probe.getsockname()[0])
        except OSError:
            raise Refused("--lan: this machine is in no network. Name the address: --lan ADDRESS.") from None


def _lan_address(given: str) -> str:
    text = given or _own_private_address()
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        raise Refused(f"--lan {text}: write a private address of this machine, as 192.168.1.5.") from None
    if not address.is_private or address.is_loopback or address.is_unspecified or address.is_link_local:
        raise Refused(f"--lan {text}: it is not an address of a private network. To serve others, use --public with TLS.")
    return text


def parser() -> argparse.ArgumentParser:
    parse = argparse.ArgumentParser(prog="warplens serve", description="A class in browsers: this machine compiles, collects "
                                    "and judges (docs/serve.md).")
    parse.add_argument("--class", dest="class_name", metavar="NAME", required=True, help='as "GPU 101"; it has one store')
    parse.add_argument("--port", type=int, default=8321, help="default: 8321; 0 for any that is free")
    parse.add_argument("--lan", nargs="?", const="", metavar="ADDRESS",
                       help="serve the private network that this machine is in, without encryption")
    parse.add_argument("--public", metavar="https://NAME", help="serve any network by this address; needs TLS:")
    parse.add_argument("--certificate", metavar="FILE.pem", help="certificate of --public")
    parse.add_argument("--key", metavar="FILE.pem", help="its private key")
    parse.add_argument("--proxy", metavar="ADDRESS", help="or the address of a proxy on this machine that does TLS")
    parse.add_argument("--compiler", choices=("clang", "nvrtc"), default="clang", help="default: clang (docs/licences.md)")
    parse.add_argument("--numba", action="store_true", help="judge answers in Python too: Numba runs them, in the sandbox")
    parse.add_argument("--page", type=Path, metavar="FOLDER", help="the window for browsers, as tools/web makes it")
    parse.add_argument("--store", type=Path, metavar="FOLDER", help="where the class is stored")
    parse.add_argument("--keep-days", type=int, default=180, metavar="N",
                       help="students who were not here for so long are deleted (default: 180)")
    parse.add_argument("--seed", type=int, default=1, metavar="N", help="of the judge's hidden cases (docs/grading.md)")
    parse.add_argument("--export", type=Path, metavar="FILE.zip", help="write hand-ins, progress and a table, and end")
    parse.add_argument("--names", action="store_true", help="in --export: names in place of pseudonyms")
    parse.add_argument("--forget", metavar="STUDENT", help="delete everything about a student, and end")
    parse.add_argument("--backup", type=Path, metavar="FILE", help="copy the store, and end; a server may run meanwhile")
    return parse


def _public_host(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname or parts.path not in ("", "/") or parts.query or parts.username:
        raise Refused(f"--public {address}: write the address of students, as https://class.example.org.")
    return parts.hostname


def _check_public(options: argparse.Namespace) -> None:
    if options.public is None:
        for name in ("certificate", "key", "proxy"):
            if getattr(options, name) is not None:
                raise Refused(f"--{name} belongs to --public.")
        return
    if options.lan is not None:
        raise Refused("--lan and --public exclude each other.")
    with_files = options.certificate is not None and options.key is not None
    if not with_files and options.proxy is None:
        raise Refused("--public is refused without TLS: give --certificate and --key, or name the proxy that does it with --proxy.")
    if (options.certificate is not None or options.key is not None) and (not with_files or options.proxy is not None):
        raise Refused("--public takes --certificate with --key, or --proxy alone.")
    if options.proxy is not None:
        try:
            is_here = ipaddress.ip_address(options.proxy).is_loopback
        except ValueError:
            is_here = False
        if not is_here:
            raise Refused(f"--proxy {options.proxy}: the proxy must be on this machine, as 127.0.0.1, since what it sends has no "
                          "encryption.")


def settings_of(options: argparse.Namespace) -> Settings:
    """Raises Refused."""
    _check_public(options)
    if not 0 <= options.port <= 65535:
        raise Refused(f"--port {options.port}: write a number up to 65535.")
    if options.keep_days < 1:
        raise Refused(f"--keep-days {options.keep_days}: write a number from 1 on.")
    if not options.class_name.strip() or len(options.class_name) > 80:
        raise Refused("--class: write a name of up to 80 letters.")
    if options.page is not None and not (options.page / "index.html").is_file():
        raise Refused(f"--page {options.page}: there is no index.html. tools/web makes such a folder.")
    host, names, address = "127.0.0.1", {"127.0.0.1", "localhost"}, ""
    if options.lan is not None:
        host = _lan_address(options.lan)
        names = {host}
    elif options.public is not None:
        names, address = {_public_host(options.public)}, options.public.rstrip("/")
        host = options.proxy or "0.0.0.0"
    return Settings(store=(options.store or default_store(options.class_name)).resolve(), class_name=options.class_name.strip(),
                    host=host, port=options.port, names=frozenset(names), address=address, lan=options.lan is not None,
                    certificate=options.certificate, private_key=options.key, proxy=options.proxy, compiler=options.compiler, numba=options.numba,
                    page=options.page.resolve() if options.page else None, keep_days=options.keep_days, seed=options.seed)


def parse_arguments(words: Optional[Sequence[str]] = None) -> argparse.Namespace:
    return parser().parse_args(words)
