"""Twisted on asyncio on uvloop: servers, datagrams, threads and deferreds. No processes: Twisted and uvloop both want to
handle SIGCHLD, so their end may be missed."""
import asyncio
import sys

import uvloop

asyncio.set_event_loop(uvloop.new_event_loop())
from twisted.internet import asyncioreactor  # noqa: E402

asyncioreactor.install(asyncio.get_event_loop())
from twisted.internet import defer, endpoints, protocol, reactor, task, threads  # noqa: E402
from twisted.protocols import basic  # noqa: E402


class Lines(basic.LineReceiver):
    def lineReceived(self, line):
        self.sendLine(line[::-1])


class Client(basic.LineReceiver):
    def connectionMade(self):
        self.sendLine(b"stressed")

    def lineReceived(self, line):
        print("line", line)
        self.transport.loseConnection()

    def connectionLost(self, reason):
        self.factory.done.callback(reason.type.__name__)


class Datagram(protocol.DatagramProtocol):
    def __init__(self, done):
        self.done = done

    def datagramReceived(self, data, _):
        self.done.callback(data)


@defer.inlineCallbacks
def main():
    server = yield endpoints.TCP4ServerEndpoint(reactor, 0, interface="127.0.0.1").listen(protocol.Factory.forProtocol(Lines))
    factory = protocol.ClientFactory.forProtocol(Client)
    factory.done = defer.Deferred()
    reactor.connectTCP("127.0.0.1", server.getHost().port, factory)
    print("lost", (yield factory.done))
    yield server.stopListening()
    received = defer.Deferred()
    port = reactor.listenUDP(0, Datagram(received), interface="127.0.0.1")
    port.write(b"to itself", ("127.0.0.1", port.getHost().port))
    print("datagram", (yield received))
    yield port.stopListening()
    print("thread", (yield threads.deferToThread(sum, range(100))))
    counts = []
    loop = task.LoopingCall(lambda: counts.append(len(counts)) or (len(counts) == 3 and loop.stop()))
    yield loop.start(0.001)
    print("looped", counts)
    reactor.stop()


reactor.callWhenRunning(lambda: main().addErrback(lambda failure: (failure.printTraceback(sys.stdout), reactor.stop())))
reactor.run()
print(type(asyncio.get_event_loop()).__module__)
