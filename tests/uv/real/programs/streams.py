"""asyncio on uvloop: streams, a Unix socket, datagrams, subprocesses, executors, signals and timers."""
import asyncio
import concurrent.futures
import os
import signal

import uvloop


async def echo(reader, writer):
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    writer.close()


async def talk(reader, writer):
    data = os.urandom(300_000)
    writer.write(data)
    writer.write_eof()
    received = await reader.read()
    writer.close()
    await writer.wait_closed()
    return received == data


async def streams():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pairs = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
    print("tcp", await asyncio.gather(*(talk(*pair) for pair in pairs)))
    server.close()
    await server.wait_closed()
    server = await asyncio.start_unix_server(echo, "asyncio.sock")
    print("unix", await talk(*await asyncio.open_unix_connection("asyncio.sock")))
    server.close()
    await server.wait_closed()
    try:
        await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError as error:
        print("refused", type(error).__name__)


class Answers(asyncio.DatagramProtocol):
    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, addr):
        self.transport.sendto(data.upper(), addr)


class Asks(asyncio.DatagramProtocol):
    def __init__(self, answer):
        self.answer = answer

    def connection_made(self, transport):
        transport.sendto(b"question")

    def datagram_received(self, data, addr):
        self.answer.set_result(data)


async def datagrams():
    loop = asyncio.get_running_loop()
    server, _ = await loop.create_datagram_endpoint(Answers, local_addr=("127.0.0.1", 0))
    answer = loop.create_future()
    client, _ = await loop.create_datagram_endpoint(lambda: Asks(answer), remote_addr=server.get_extra_info("sockname"))
    print("datagram", await answer)
    client.close()
    server.close()


async def children():
    child = await asyncio.create_subprocess_exec("cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    out, _ = await child.communicate(b"y" * 200_000)
    print("cat", len(out), child.returncode)
    child = await asyncio.create_subprocess_shell("echo problem >&2; exit 5", stderr=asyncio.subprocess.PIPE)
    print("shell", await child.communicate(), child.returncode)
    child = await asyncio.create_subprocess_exec("sleep", "100")
    child.terminate()
    print("terminated", await child.wait())
    try:
        await asyncio.create_subprocess_exec("/no/such/program")
    except FileNotFoundError as error:
        print("missing", error.errno)


async def others():
    loop = asyncio.get_running_loop()
    print("executor", await asyncio.gather(*(loop.run_in_executor(None, pow, 2, n) for n in range(8))))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        print("pool", await loop.run_in_executor(pool, sum, range(1000)))
    came = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, came.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await came.wait()
    print("signal", loop.remove_signal_handler(signal.SIGUSR1))
    order = []
    loop.call_soon(order.append, "soon")
    loop.call_later(0.02, order.append, "later")
    loop.call_later(0.001, order.append, "sooner")
    await asyncio.sleep(0.1)
    print("order", order)
    try:
        await asyncio.wait_for(asyncio.sleep(100), 0.01)
    except asyncio.TimeoutError:
        print("timeout")
    print("names", (await loop.getaddrinfo("127.0.0.1", 80, type=1))[0][4])
    first, second = os.pipe()
    readable = loop.create_future()
    loop.add_reader(first, readable.set_result, "readable")
    os.write(second, b"x")
    print(await readable, loop.remove_reader(first))
    os.close(first)
    os.close(second)


async def main():
    print(type(asyncio.get_running_loop()).__module__)
    await streams()
    await datagrams()
    await children()
    await others()


uvloop.install()
asyncio.run(main())
print("closed")
