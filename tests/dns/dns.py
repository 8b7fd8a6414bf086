#!/usr/bin/env python3
"""Programs that query a name server, with a server that answers correctly, wrongly, late or not at all.

  dns.py run --program RONDO NAME...        run programs and compare their output with NAME.out
  dns.py compat --program NODE [NAME...]    run those that are for Node, too, under it
  dns.py update --program NODE NAME...      write the .out files
  dns.py list                               the names

A program is NAME.js with NAME.out, and NAME.args if it needs options of Rondo's, in which case Node does not run it. Its
argument is the address of the server. Ends with 77 (skipped) if a requirement is missing."""
import os
import socket
import struct
import sys
import threading

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, environment, files, programs, reference  # noqa: E402
from harness.differences import unified  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
TYPES = {"A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33, "NAPTR": 35,
         "ANY": 255, "CAA": 257}
RCODES = {"formerr.test": 1, "servfail.test": 2, "missing.test": 3, "notimp.test": 4, "refused.test": 5}


def name(text):
    """A name in wire format."""
    data = b""
    for label in text.split("."):
        if label:
            data += bytes([len(label.encode())]) + label.encode()
    return data + b"\0"


def chunk(text):
    data = text if isinstance(text, bytes) else text.encode()
    return bytes([len(data)]) + data


def record(owner, kind, data, ttl=300, size=None, of_class=1):
    length = len(data) if size is None else size
    return owner + struct.pack(">HHIH", TYPES.get(kind, kind), of_class, ttl, length) + data


HERE = b"\xc0\x0c"  # A pointer to the name in the question.


def ip4(text):
    return socket.inet_aton(text)


def ip6(text):
    return socket.inet_pton(socket.AF_INET6, text)


def soa():
    return name("ns.test") + name("admin.ns.test") + struct.pack(">IIIII", 2026010203, 7200, 600, 1209600, 60)


EVERYTHING = [
    ("A", ip4("192.0.2.1")), ("MX", struct.pack(">H", 10) + name("mail.test")), ("AAAA", ip6("2001:db8::1")),
    ("TXT", chunk("any") + chunk("thing")), ("NS", name("ns1.test")), ("SOA", soa()),
    ("SRV", struct.pack(">HHH", 1, 2, 3) + name("srv.test")), ("PTR", name("ptr.test")),
    ("NAPTR", struct.pack(">HH", 1, 2) + chunk("u") + chunk("E2U+sip") + chunk("!^.*$!sip:x@y!") + name("")),
    ("CAA", b"\0" + chunk("issue") + b"ca.test"),
]
ZONE = {
    ("a.test", "A"): [("A", ip4("192.0.2.1"), 60), ("A", ip4("192.0.2.2"), 0), ("A", ip4("255.255.255.255"), 2147483647)],
    ("a.test", "AAAA"): [("AAAA", ip6(text), 60) for text in
                         ("2001:db8::1", "::", "::1", "1::", "::ffff:1.2.3.4", "::1.2.3.4", "1:0:0:2:0:0:0:3", "1:2:3:4:5:6:7:8",
                          "1:0:2:0:3:0:4:0", "fe80::ab:cd", "0:0:1::", "1:0:0:2:3:0:0:4")],
    ("mx.test", "MX"): [("MX", struct.pack(">H", 10) + name("mail1.test")), ("MX", struct.pack(">H", 0) + b"\xc0\x0c"),
                        ("MX", struct.pack(">H", 65535) + name(""))],
    ("ns.test", "NS"): [("NS", name("ns1.test")), ("NS", b"\x03ns2" + HERE)],
    ("txt.test", "TXT"): [("TXT", chunk("one")), ("TXT", chunk("two") + chunk("parts")), ("TXT", chunk("")),
                          ("TXT", chunk("héllo €")), ("TXT", chunk("x" * 255) + chunk("y" * 255))],
    ("srv.test", "SRV"): [("SRV", struct.pack(">HHH", 10, 60, 5060) + name("big.test")),
                          ("SRV", struct.pack(">HHH", 0, 65535, 0) + name("small.test"))],
    ("naptr.test", "NAPTR"): [
        ("NAPTR", struct.pack(">HH", 30, 100) + chunk("s") + chunk("SIP+D2U") + chunk("") + name("_sip._udp.test"))],
    ("soa.test", "SOA"): [("SOA", soa())],
    ("caa.test", "CAA"): [("CAA", b"\0" + chunk("issue") + b"ca.test; policy=ev"), ("CAA", b"\x80" + chunk("iodef") + b"mailto:a@b"),
                          ("CAA", b"\x01" + chunk("issuewild") + b";")],
    ("www.test", "A"): [("CNAME", name("web.test")), ("A", ip4("192.0.2.9"))],
    ("www.test", "CNAME"): [("CNAME", name("web.test"))],
    ("1.2.0.192.in-addr.arpa", "PTR"): [("PTR", name("one.test")), ("PTR", name("two.test"))],
    ("ptr.test", "PTR"): [("PTR", name("one.test")), ("PTR", name("two.test"))],
    ("1.0.0.0." + "0." * 20 + "8.b.d.0.1.0.0.2.ip6.arpa", "PTR"): [("PTR", name("six.test"))],
    ("any.test", "ANY"): EVERYTHING,
    ("xn--bcher-kva.test", "A"): [("A", ip4("192.0.2.77"))],
    ("case.test", "A"): [("A", ip4("192.0.2.5"))],
    ("other.test", "A"): [("TXT", chunk("not what was asked"))],
    ("unknown.test", "ANY"): [(65280, b"whatever"), ("A", ip4("192.0.2.3"))],
    ("class.test", "A"): [("A", ip4("192.0.2.3"), 300, 3), ("A", ip4("192.0.2.4"))],
}
# Invalid answer sections.
BAD = {
    "loop.test": (1, b"\xc0\x1b" + struct.pack(">HHIH", 1, 1, 60, 4) + ip4("192.0.2.1")),
    "selfloop.test": (1, record(HERE, "CNAME", b"\xc0\x2b")),
    "beyond.test": (1, record(HERE, "CNAME", b"\xff\xff")),
    "longdata.test": (1, record(HERE, "A", ip4("192.0.2.1"), size=400)),
    "shortdata.test": (1, record(HERE, "A", b"\x01\x02\x03")),
    "cutheader.test": (1, HERE + b"\0\1\0"),
    "toomany.test": (200, record(HERE, "A", ip4("192.0.2.1"))),
    "longlabel.test": (1, record(HERE, "CNAME", b"\x80" + b"x" * 128 + b"\0")),
    "endless.test": (1, record(HERE, "CNAME", b"\x3f" + b"x" * 20)),
    "txtlong.test": (1, record(HERE, "TXT", b"\xffshort")),
    "caalong.test": (1, record(HERE, "CAA", b"\0\xffissue")),
    "mxshort.test": (1, record(HERE, "MX", b"\0")),
    "soashort.test": (1, record(HERE, "SOA", name("ns.test") + name("x.test") + b"\0\0")),
    "naptrlong.test": (1, record(HERE, "NAPTR", b"\0\1\0\1\x05ab")),
    "shell.test": (1, record(HERE, "CNAME", chunk("$(reboot)") + b"\0")),
}


class Server:
    """UDP and TCP on one port of 127.0.0.1."""

    def __init__(self):
        while True:
            self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.udp.bind(("127.0.0.1", 0))
            self.port = self.udp.getsockname()[1]
            self.tcp = socket.socket()
            self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                self.tcp.bind(("127.0.0.1", self.port))
                break
            except OSError:
                self.udp.close()
                self.tcp.close()
        self.tcp.listen(50)
        self.counts = {}
        for serve in (self.serve_udp, self.serve_tcp):
            threading.Thread(target=serve, daemon=True).start()

    def serve_udp(self):
        while True:
            query, peer = self.udp.recvfrom(4096)
            for answer in self.answers(query, is_tcp=False):
                self.udp.sendto(answer, peer)

    def serve_tcp(self):
        while True:
            connection, _ = self.tcp.accept()
            with connection:
                connection.settimeout(5)
                try:
                    size = struct.unpack(">H", self.exactly(connection, 2))[0]
                    for answer in self.answers(self.exactly(connection, size), is_tcp=True):
                        connection.sendall(struct.pack(">H", len(answer)) + answer)
                    connection.recv(1)
                except (OSError, struct.error):
                    pass

    @staticmethod
    def exactly(connection, size):
        data = b""
        while len(data) < size:
            part = connection.recv(size - len(data))
            if not part:
                raise OSError("closed")
            data += part
        return data

    @staticmethod
    def parse(query):
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode("latin1"))
            at += 1 + query[at]
        kind = struct.unpack(">H", query[at + 1:at + 3])[0]
        return ".".join(labels), next((text for text, number in TYPES.items() if number == kind), str(kind)), at + 5

    @staticmethod
    def message(query, end, answers, count, rcode=0, truncated=False, ident=None):
        flags = 0x8180 | rcode | (0x0200 if truncated else 0)
        head = query[:2] if ident is None else ident
        return head + struct.pack(">HHHHH", flags, 1, count, 0, 0) + query[12:end] + answers

    def zone_answer(self, query, end, asked, kind):
        found = ZONE.get((asked.lower(), kind), [])
        data = b""
        for entry in found:
            data += record(HERE, entry[0], entry[1], *(entry[2:3] or [300]), of_class=(entry[3] if len(entry) > 3 else 1))
        return self.message(query, end, data, len(found))

    def answers(self, query, is_tcp):
        asked, kind, end = self.parse(query)
        lower = asked.lower()
        self.counts[lower] = count = self.counts.get(lower, 0) + 1
        good = record(HERE, "A", ip4("192.0.2.42"))
        if lower in RCODES:
            return [self.message(query, end, b"", 0, rcode=RCODES[lower])]
        if lower in BAD:
            return [self.message(query, end, BAD[lower][1], BAD[lower][0])]
        if lower == "silent.test":
            return []
        if lower == "second.test":  # Only the second time.
            return [self.message(query, end, good, 1)] if count % 2 == 0 else []
        if lower == "big.test":
            if not is_tcp:
                return [self.message(query, end, b"", 0, truncated=True)]
            return [self.message(query, end, b"".join(
                record(HERE, "A", ip4(f"10.0.{i // 250}.{i % 250}")) for i in range(1000)), 1000)]
        if lower == "wrongid.test":
            wrong = bytes([query[0] ^ 1, query[1]])
            return [self.message(query, end, record(HERE, "A", ip4("6.6.6.6")), 1, ident=wrong), self.message(query, end, good, 1)]
        if lower == "wrongname.test":
            other = query[:12] + name("evil.test") + query[end - 4:end]
            return [self.message(other, len(other), record(HERE, "A", ip4("6.6.6.6")), 1), self.message(query, end, good, 1)]
        if lower == "garbage.test":
            return [b"", b"\0", query[:2] + b"\x81", os.urandom(40), self.message(query, end, good, 1)]
        return [self.zone_answer(query, end, asked, kind)]


def names():
    return sorted(entry[:-3] for entry in os.listdir(FOLDER) if entry.endswith(".js"))


def output_of(program, test):
    """Its output, and its exit code if that is not 0."""
    server = Server()
    options = (files.read(os.path.join(FOLDER, test + ".args")) or "").split()
    return programs.output_of([program, *options, test + ".js", f"127.0.0.1:{server.port}"], cwd=FOLDER,
                              env=environment.minimal(NO_COLOR="1"))


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("what", choices=("run", "compat", "update", "list"))
    parser.add_argument("--program", default=reference.node())
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args(words)
    if options.what == "list":
        print("\n".join(names()))
        return 0
    if options.program is None:
        return checks.skip("dns", "there is no Node to compare with")
    failed = 0
    for test in options.names or names():
        if options.what == "compat" and os.path.exists(os.path.join(FOLDER, test + ".args")):
            continue
        came = output_of(options.program, test)
        path = os.path.join(FOLDER, test + ".out")
        if options.what == "update":
            files.write(path, came)
            continue
        difference = unified(files.read(path) or "", came, f"{test}: wanted", f"{test}: came")
        if difference:
            failed += 1
            print(difference, end="")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    programs.exit_with(main)
