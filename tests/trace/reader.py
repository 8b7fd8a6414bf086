"""Reads traces as docs/TRACE-FORMAT.md describes them. `reader.py FILE` prints one as text."""
import json
import struct
import sys

PHASES = ["none", "timers", "pending", "idle", "prepare", "poll", "check", "closing"]
KINDS = {
    1: "turn", 2: "phase begin", 3: "phase end", 4: "loop callback begin", 5: "loop callback end", 6: "callback begin",
    7: "callback end", 8: "tick drain begin", 9: "tick drain end", 10: "tick begin", 11: "tick end",
    12: "microtask drain begin", 13: "microtask drain end", 14: "microtask begin", 15: "microtask end", 16: "schedule",
    17: "promise", 18: "settled", 19: "over", 20: "handle opened", 21: "handle closed", 22: "serves", 23: "job queued",
    24: "job started", 25: "job finished", 26: "poll waits", 27: "poll woke", 28: "number", 29: "blocked",
    30: "uncaught", 31: "exit", 32: "refd", 33: "touches", 34: "turn and callback begin", 35: "next callback begin",
    36: "callback in one of the loop begin", 37: "callback in one of the loop end",
}
BEGINS = (2, 4, 6, 8, 10, 12, 14)


class Record:
    def __init__(self, number, raw, trace):
        self.number = number
        self.time, self.kind, self.phase, self.detail, self.name, self.id, self.value = struct.unpack("<dBBHIdd", raw)
        self.first, self.second = struct.unpack("<II", raw[24:])
        self.trace = trace

    def as_kind(self, kind, **fields):
        """The same record as another, plain kind, with only the given fields."""
        made = object.__new__(Record)
        made.__dict__.update(self.__dict__, kind=kind, detail=0, name=0, id=0, value=0, first=0, second=0)
        made.__dict__.update(fields)
        return made

    def text(self):
        return self.trace.describe(self.name)

    def __str__(self):
        words = [f"{self.time / 1e6:12.4f}", PHASES[self.phase], KINDS.get(self.kind, str(self.kind))]
        if self.id:
            words.append(f"#{self.id:.0f}")
        if self.detail:
            words.append(self.trace.describe(self.detail) if self.kind == 6 else str(self.detail))
        if self.name:
            words.append(self.text())
        if self.kind in (16, 32):
            words.append(f"at {self.trace.describe(self.first)} of {self.trace.describe(self.second)}")
        elif self.value:
            words.append(f"={self.value:.0f}")
        return "  ".join(words)


class Trace:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if data[:8] != b"RONDOTR1":
            raise ValueError(f"{path} is no trace")
        self.version, self.pid, self.thread, self.flags = struct.unpack_from("<IIII", data, 8)
        (room, capacity, written, names_size, self.names_count, self.began_ms, self.began_ns, self.exit_code,
         ) = struct.unpack_from("<8d", data, 24)
        length, = struct.unpack_from("<I", data, 88)
        self.command = json.loads(data[96:96 + length]) if length else None
        self.capacity, self.written = int(capacity), int(written)
        self.dropped = max(0, self.written - self.capacity)
        self.names = [None]
        at, end = 4096, 4096 + int(names_size)
        while at < end:
            size, kind = struct.unpack_from("<II", data, at)
            body = data[at + 8:at + 8 + size]
            self.names.append((kind, body.decode() if kind == 0 else struct.unpack(f"<{size // 4}I", body)))
            at += 8 + (size + 3) // 4 * 4
        start = 4096 + int(room)
        self.raw = []
        for n in range(self.dropped, self.written):
            offset = start + n % self.capacity * 32
            record = Record(n, data[offset:offset + 32], self)
            if record.kind != 0:
                self.raw.append(record)
        self.records = self.spelled_out()

    def spelled_out(self):
        """The records, with combined ones split into one record for each."""
        records, opened = [], []

        def close(record):
            begin = opened.pop()
            records.append(record.as_kind(begin.kind + 1, id=begin.id, phase=begin.phase))

        for record in self.raw:
            if record.kind == 34:
                while opened:
                    close(record)
                records.append(record.as_kind(1, id=record.value, phase=0))
                opened.append(record.as_kind(2))
                records.append(opened[-1])
                record = record.as_kind(6, id=record.id, name=record.name)
            elif record.kind == 35:
                if opened:
                    close(record)
                record = record.as_kind(6, id=record.id, name=record.name, value=record.value, detail=record.detail)
            elif record.kind == 36:
                opened.append(record.as_kind(4, id=-record.first, name=record.second))
                records.append(opened[-1])
                record = record.as_kind(6, id=record.id, name=record.name, detail=record.detail)
            elif record.kind == 37:
                if opened:
                    close(record)
                if opened:
                    close(record)
                continue
            records.append(record)
            if record.kind in BEGINS:
                opened.append(record)
            elif record.kind - 1 in BEGINS and opened:
                opened.pop()
        return records

    def describe(self, number):
        if number == 0:
            return "-"
        kind, body = self.names[number]
        if kind == 0:
            return body
        if kind == 2:
            return " < ".join(self.describe(place) for place in body)
        return f"{self.describe(body[0])} ({self.describe(body[1])}:{body[2]}:{body[3]})"

    def of_kind(self, kind):
        return [record for record in self.records if record.kind == kind]

    def nesting_error(self):
        """Empty, or the first record that is not properly nested."""
        stack = []
        for record in self.records:
            if record.kind in BEGINS:
                if record.kind == 2 and stack:
                    return f"{record} inside {stack[-1]}"
                stack.append(record)
            elif record.kind - 1 in BEGINS:
                if not stack and self.dropped:
                    continue
                if not stack or stack[-1].kind != record.kind - 1 or stack[-1].id != record.id:
                    return f"{record} ends {stack[-1] if stack else 'nothing'}"
                stack.pop()
            elif record.kind == 1 and stack:
                return f"{record} inside {stack[-1]}"
        return f"left open: {stack[-1]}" if stack and self.flags & 1 else None


def main():
    trace = Trace(sys.argv[1])
    print(f"pid {trace.pid} thread {trace.thread} flags {trace.flags} exit {trace.exit_code:.0f} "
          f"written {trace.written} dropped {trace.dropped} names {len(trace.names) - 1}", trace.command)
    depth = 0
    for record in trace.records:
        if record.kind - 1 in BEGINS:
            depth -= 1
        print("  " * depth + str(record))
        if record.kind in BEGINS:
            depth += 1
    print(trace.nesting_error() or "nested properly")


if __name__ == "__main__":
    main()
