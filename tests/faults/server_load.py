#!/usr/bin/env python3
"""Attacks the review server in every way of a table, on the loopback interface, and watches its memory.

    server_load.py --bin build/bin [--requests N]

A row of the table is what is sent, and what must come back. Whatever comes before it, a plain request is answered within
5 s after each row, no decision is recorded that was not acknowledged, and the server's memory does not grow beyond
128 MB. Then 200 connections at once send N requests in all. Needs the standard library.
"""
import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import faults

MOST_MEMORY = 128 << 20


class Server:
    def __init__(self, options, folder, *words):
        self.process = subprocess.Popen([f"{options.bin}/curate", "serve", "--port", "0", *words], cwd=folder, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        url = self.process.stdout.readline()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)\n", url).groups()
        self.port = int(self.port)

    def memory(self, field="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(field + r":\s*(\d+) kB", file.read()).group(1)) << 10

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return connection

    def head(self, first, **headers):
        lines = {"Host": f"127.0.0.1:{self.port}", "X-Curate-Token": self.token, **{k.replace("_", "-"): v for k, v in headers.items()}}
        return (first + " HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None) + "\r\n").encode()

    def send(self, data, most=1 << 20):
        """The status, or 0 when the connection was closed without an answer."""
        with self.connect() as connection:
            try:
                for part in ([data] if isinstance(data, bytes) else data):
                    connection.sendall(part)
            except OSError:
                pass  # it has heard enough
            return status_of(receive(connection, most))

    def decide(self, sample, **headers):
        body = json.dumps({"reviewer": "ada", "sample": sample, "verdict": "keep"}).encode()
        headers = {"Content_Type": "application/json", "Content_Length": len(body), "Connection": "close", **headers}
        return self.head("POST /api/decisions", **headers) + body

    def stop(self):
        self.process.terminate()
        self.process.wait()


def receive(connection, most):
    data = b""
    try:
        while len(data) < most and (part := connection.recv(65536)):
            data += part
            if b"\r\n\r\n" in data and len(data) > 12:
                break
    except OSError:
        pass
    return data


def status_of(answer):
    match = re.match(rb"HTTP/1\.1 (\d+) ", answer)
    return int(match.group(1)) if match else 0


def endless(first, part, count):
    yield first
    for _ in range(count):
        yield part


def table(server):
    """(what, bytes, allowed answers): 0 means closed without one."""
    megabytes = b"x" * (1 << 20)
    get, post = server.head("GET /api/next?reviewer=ada"), server.head
    yield "a plain request", get, {200}
    yield "an endless request line, 300 MB", endless(b"GET /", megabytes, 300), {414, 0}
    yield "an endless header, 300 MB", endless(b"GET / HTTP/1.1\r\nX: ", megabytes, 300), {414, 431, 0}
    yield "endless headers, 100 MB", endless(b"GET / HTTP/1.1\r\n", b"X-A: b\r\n" * 131072, 100), {431, 0}
    yield "65 headers", b"GET / HTTP/1.1\r\n" + b"X-A: b\r\n" * 65 + b"\r\n", {431}
    yield "a chunked body without end", endless(post("POST /api/decisions", Transfer_Encoding="chunked"), b"100000\r\n" + megabytes + b"\r\n", 100), {501, 0}
    yield "a body of 100 MB", endless(post("POST /api/decisions", Content_Length=100 << 20), megabytes, 100), {413, 0}
    yield "a body without a length", post("POST /api/decisions") + b"{}", {411}
    yield "a compressed body", post("POST /api/decisions", Content_Length=2, Content_Encoding="gzip") + b"\x1f\x8b", {415}
    yield "two lengths", b"POST /api/decisions HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", {400}
    yield "a length that is none", post("POST /api/decisions", Content_Length="-1"), {400}
    yield "a length beyond 64 bits", post("POST /api/decisions", Content_Length="9" * 30), {400, 413}
    yield "length and chunks", post("POST /api/decisions", Content_Length=2, Transfer_Encoding="chunked") + b"{}", {501}
    yield "no token", server.head("GET /api/next?reviewer=ada", X_Curate_Token=None), {403}
    yield "a wrong token", server.head("GET /api/next?reviewer=ada", X_Curate_Token="x" * 32), {403}
    yield "a decision without a token", server.decide(0, X_Curate_Token=None), {403}
    yield "a foreign host (rebinding)", server.head("GET /", Host="evil.example"), {403}
    yield "a foreign host with our port", server.head("GET /", Host=f"evil.example:{server.port}"), {403}
    yield "no host", server.head("GET /", Host=None), {400, 403}
    yield "a foreign page (cross-site)", server.decide(0, Origin="http://evil.example"), {403}
    yield "a page without origin (sandbox)", server.decide(0, Origin="null"), {403}
    yield "a form of another page", server.decide(0, Content_Type="application/x-www-form-urlencoded"), {403, 415}
    yield "text that passes for a simple request", server.decide(0, Content_Type="text/plain"), {415}
    for path in ("/../../etc/passwd", "/image/../../../etc/passwd", "/thumb/..%2f..%2fetc%2fpasswd", "//etc/passwd",
                 "/image/%00", "/image/0/../../x", "/thumb/-1", "/thumb/99999999999999999999", "/.procsim/workspace.db"):
        yield f"traversal {path}", server.head("GET " + path), {404, 400}
    yield "nonsense", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500) + b"\r\n\r\n", {400, 0}
    yield "control characters", b"GET /\x01\x02 HTTP/1.1\r\n\r\n", {400}
    yield "a header without a name", b"GET / HTTP/1.1\r\n: x\r\n\r\n", {400}
    yield "a folded header", b"GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n", {400}
    yield "HTTP/0.9", b"GET /\r\n\r\n", {400, 403, 0}
    yield "an unknown method", server.head("BREW /"), {400, 403, 404, 405}
    yield "many ranges", server.head("GET /", Range="bytes=" + ",".join(f"{i}-{i + 1}" for i in range(1000))), {200}
    yield "nested JSON", post("POST /api/decisions", Content_Type="application/json", Content_Length=60000) + b"[" * 60000, {400}
    yield "a reviewer of 10 kB", server.head("GET /api/next?reviewer=" + "x" * 7000), {400}
    yield "a reviewer with a line", server.head("GET /api/next?reviewer=a%0ab"), {400}


def slow_clients(server):
    """200 connections that send a byte now and then: others are answered, and they are cut off."""
    slow = [server.connect() for _ in range(200)]
    started = time.monotonic()
    alive = True
    while alive and time.monotonic() - started < 40:
        for connection in slow:
            try:
                connection.send(b"G")
            except OSError:
                alive = False
        if server.send(server.head("GET /api/next?reviewer=ada")) != 200:
            return "others were not answered"
        time.sleep(0.5)
    for connection in slow:
        connection.close()
    return "they were not cut off within 40 s" if alive else None


def load(server, requests, clients=200):
    """(answers by status, samples whose decision was acknowledged)"""
    counts, acknowledged, lock = {}, [], threading.Lock()

    def work(client):
        for number in range(requests // clients):
            decides = number % 10 == 0
            sample = (client + number) % 120
            with server.connect() as connection:
                connection.sendall(server.decide(sample, X_Reviewer=str(client)) if decides else
                                   server.head(f"GET /api/next?reviewer=r{client}", Connection="close"))
                status = status_of(receive(connection, 1 << 20))
            with lock:
                counts[status] = counts.get(status, 0) + 1
                if decides and status == 200:
                    acknowledged.append(sample)

    threads = [threading.Thread(target=work, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counts, acknowledged


def decisions(options, folder):
    out = subprocess.run([f"{options.bin}/curate", "log", "--json"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return len(out.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--requests", type=int, default=4000)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="server-")
    failures = []
    server = None

    def fail(why):
        failures.append(why)
        print(f"FAILED  {why}", flush=True)

    try:
        faults.make_inputs(folder)
        for step, words in faults.STEPS:
            if step in ("build", "import-scores"):
                subprocess.run([f"{options.bin}/{words[0]}", *words[1:]], cwd=folder, check=True, capture_output=True)
        server = Server(options, folder)
        rows = 0
        for what, data, allowed in table(server):
            rows += 1
            status = server.send(data)
            if status not in allowed:
                fail(f"{what}: {status}, not one of {sorted(allowed)}")
            started = time.monotonic()
            if server.send(server.head("GET /api/next?reviewer=ada")) != 200 or time.monotonic() - started > 5:
                fail(f"{what}: afterwards others are not answered")
        peak = server.memory("VmHWM")
        print(f"{rows} rows, {len(failures)} failed, {peak >> 20} MB at most", flush=True)
        if peak > MOST_MEMORY:
            fail(f"{peak >> 20} MB of memory")
        if decisions(options, folder) != 0:
            fail("a refused request was recorded")
        if problem := slow_clients(server):
            fail(f"slow clients: {problem}")
        counts, _ = load(server, options.requests // 4)
        warm = server.memory()
        more, acknowledged = load(server, options.requests)
        for status, count in more.items():
            counts[status] = counts.get(status, 0) + count
        grown = server.memory() - warm
        print(f"200 connections at once, answers {counts}, {grown >> 10} kB grown over the last {sum(more.values())}", flush=True)
        if set(counts) - {200, 409}:
            fail(f"under load: {counts}")
        if grown > 8 << 20:
            fail(f"memory grew by {grown >> 20} MB under load")
        server.stop()
        server = None
        if decisions(options, folder) < len(set(acknowledged)):
            fail("an acknowledged decision is lost")
        if subprocess.run([f"{options.bin}/curate", "log", "--verify"], cwd=folder, capture_output=True).returncode != 0:
            fail("the log is not intact")
        server = Server(options, folder, "--read-only")
        if (status := server.send(server.decide(0))) != 403:
            fail(f"--read-only takes a decision: {status}")
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
