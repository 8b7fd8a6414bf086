"""Statements and resources of datagrams, compression, HTTP, TLS and HTTP/2, in the form of kinds.py. prologue_web.js has
the functions that they call. There is no fetch(): common requests do not pass through undici here, and take fewer turns."""

SOCKET = "«data |»end finish drain timeout error close"
ASKED = "{ response() { B0 }, end() { B1 }, close() { B2 } }"
CODED = "Buffer.alloc(«10|100000|1000000», 'abc')"

GROUPS = {
    "datagrams": {
        "datagram": (6, 1, "post(held[R], 'P', 'abc', 'N', () => { B0 });", ("udp",)),
        "datagrams": (3, 1, "for (const text of ['a', 'bb', 'ccc']) post(held[R], 'P', text, 'N'); post(held[R], 'P', 'dddd', 'N', () => { B0 });", ("udp",)),
        "datagram without callback": (3, 0, "post(held[R], 'P', 'a');", ("udp",)),
        "datagram to nobody": (1, 1, "held[R].P.send('a', 1, '127.0.0.1', () => { log('N'); B0 });", ("udp",)),
        "datagram to a name": (1, 1, "held[R].P.send('abc', held[R].portOf.one, 'localhost', () => { log('N'); B0 });", ("udp",)),
        "large datagram": (1, 1, "held[R].P.send(Buffer.alloc(«60000|70000»), held[R].portOf.one, '127.0.0.1', (e) => { log(`N ${describe(e)}`); B0 });", ("udp",)),
        "close datagrams": (2, 1, "held[R].P.close(() => { log('N'); B0 });", ("udp",)),
        "unref datagrams": (1, 0, "held[R].P.«unref|ref»();", ("udp",)),
        "bind": (2, 2, "held[N] = hear('N', dgram.createSocket('udp4'), 'listening message error close', { listening() { B0 }, close() { B1 } }).bind(«|0|0, '127.0.0.1'»);"),
        "bind and close": (1, 1, "hear('N', dgram.createSocket('udp4'), 'listening error close', { close() { B0 } }).bind(0, () => log('N')).close();"),
        "send before bind": (2, 2, "held[N] = hear('N', dgram.createSocket('udp4'), 'listening message connect error close', { listening() { B0 } }); held[N].send('abc', held[R].portOf.P, '127.0.0.1', () => { log('N'); B1 });", ("udp",)),
        "connect datagrams": (2, 2, "held[N] = hear('N', dgram.createSocket('udp4'), 'listening message connect error close', { connect() { B0 } }); held[N].connect(«held[R].portOf.P|1», '127.0.0.1', () => { held[N].send('abc', () => { log('N'); B1 }); });", ("udp",)),
    },
    "compression": {
        "compress": (4, 1, f"zlib.«gzip|deflate|deflateRaw|brotliCompress|zstdCompress»({CODED}, () => {{ log('N'); B0 }});"),
        "decompress": (3, 1, f"zlib.gunzip(zlib.gzipSync({CODED}), (e, data) => {{ log(`N ${{data.length}}`); B0 }});"),
        "decompress nonsense": (1, 1, "zlib.«gunzip|inflate|unzip|brotliDecompress»('nonsense', (e) => { log(`N ${describe(e)}`); B0 });"),
        "encoder": (3, 3, "{ const z = hear('N', zlib.«createGzip|createDeflate|createBrotliCompress»(), 'data end finish drain close', { data() { B0 }, end() { B1 } }); z.write('abc', () => { log('N written'); B2 }); «z.end('def');|z.flush(() => { log('N flushed'); z.end(); });|z.destroy();» }"),
        "large encoder": (1, 1, "{ const z = hear('N', zlib.createGzip(«|{ level: 0 }»), 'data end finish drain close', { end() { B0 } }); log(`N ${z.write(Buffer.alloc(100000))}`); z.end(); }"),
        "decoder": (2, 2, f"{{ const z = hear('N', zlib.createGunzip(), 'data end finish close', {{ data() {{ B0 }}, end() {{ B1 }} }}); z.end(zlib.gzipSync({CODED})); }}"),
        "codec pipeline": (1, 1, "stream.pipeline(stream.Readable.from(['a', 'b']), zlib.createGzip(), zlib.createGunzip(), hear('N', new stream.PassThrough(), 'data end finish close'), () => { log('N'); B0 });"),
        "compression stream": (1, 1, "(async () => { const { readable, writable } = new CompressionStream('gzip'); const w = writable.getWriter(); w.write(Buffer.from('abc')).then(() => log('N written')); w.close().then(() => log('N closed')); for await (const c of readable) log(`N ${c.length}`); log('N+'); B0 })();"),
    },
    "http": {
        "get": (6, 3, f"ask('N', held[R], {{ «|agent: false|path: '/late'» }}, null, {ASKED});", ("web",)),
        "post": (4, 3, f"ask('N', held[R], {{ method: 'POST'«|, path: '/echo'» }}, «'abc'|Buffer.alloc(200000)», {ASKED});", ("web",)),
        "get several": (3, 0, "for (const k of ['a', 'b', 'c']) ask(`N${k}`, held[R], {}, null, {});", ("web",)),
        "queued get": (2, 3, f"ask('N', held[R], {{ agent: held[R].narrow }}, null, {ASKED}); ask('N second', held[R], {{ agent: held[R].narrow }}, null, {{}});", ("web",)),
        "destroyed get": (2, 1, "ask('N', held[R], {}, null, { close() { B0 } }).destroy(«|new Error('N')»);", ("web",)),
        "destroy request": (2, 0, "if (held[T] instanceof http.ClientRequest) held[T].destroy();"),
        "expect": (1, 1, "ask('N', held[R], { method: 'POST', headers: { expect: '100-continue' } }, 'abc', { continue() { B0 } });", ("web",)),
        "upgrade": (1, 1, "ask('N', held[R], { headers: { connection: 'upgrade', upgrade: 'x' } }, null, { upgrade() { B0 } });", ("web",)),
        "no web server": (1, 2, "hear('N', http.get({ port: 1, host: '127.0.0.1' }), 'socket error close', { error() { B0 }, close() { B1 } });"),
        "pipelined": (2, 1, "held[N] = hear('N', net.connect(where(held[R])), SOCKET_EVENTS, { data() { B0 } }); held[N].write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\nGET /late HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');", ("web",)),
        "bad request": (1, 1, "held[N] = hear('N', net.connect(where(held[R])), SOCKET_EVENTS, { close() { B0 } }); held[N].write('nonsense\\r\\n\\r\\n');", ("web",)),
        "close web server": (2, 1, "held[R].close(() => { log('N'); B0 });", ("web",)),
        "close connections": (1, 0, "held[R].«closeIdleConnections|closeAllConnections»();", ("web",)),
    },
    "tls": {
        "secure write": (8, 1, "held[R].P.write('«a|bb|ccc»', () => { log('N'); B0 });", ("secure",)),
        "secure write without callback": (4, 0, "held[R].P.write('«a|bb|ccc»');", ("secure",)),
        "secure large write": (3, 1, "log(`N ${held[R].P.write(Buffer.alloc(«100000|20000|300000»), () => { log('N+'); B0 })}`);", ("secure",)),
        "secure cork": (2, 1, "held[R].P.cork(); held[R].P.write('a'); held[R].P.write('b', () => { log('N'); B0 }); held[R].P.uncork();", ("secure",)),
        "secure end": (4, 1, "held[R].P.end(«|'bye', »() => { log('N'); B0 });", ("secure",)),
        "secure destroy": (3, 0, "held[R].P.destroy(«|new Error('N')»);", ("secure",)),
        "secure pause": (2, 0, "held[R].P.«pause|resume»();", ("secure",)),
        "secure pipe": (1, 0, "held[R].P.pipe(held[R].P);", ("secure",)),
        "secure iteration": (1, 1, "(async () => { try { for await (const c of held[R].P) log(`N ${c.length}`); } catch (e) { log(`N ${describe(e)}`); } B0 })();", ("secure",)),
        "open secure socket": (3, 2, "held[N] = hear('N', tls.connect({ ...where(held[R].listener), ...trusting }), `secureConnect ${SOCKET_EVENTS}`, { secureConnect() { B0 }, close() { B1 } });", ("secure",)),
        "open and write secure": (2, 1, "held[N] = hear('N', tls.connect({ ...where(held[R].listener), ...trusting }), `secureConnect ${SOCKET_EVENTS}`, { close() { B0 } }); held[N].«write('abc')|end('abc')|end()|destroy()»;", ("secure",)),
        "untrusted": (1, 1, "hear('N', tls.connect({ ...where(held[R].listener), servername: 'x' }), `secureConnect ${SOCKET_EVENTS}`, { close() { B0 } });", ("secure",)),
        "no secure server": (1, 1, "hear('N', tls.connect({ port: 1, host: '127.0.0.1' }), `secureConnect ${SOCKET_EVENTS}`, { close() { B0 } });"),
    },
    "http2": {
        "stream": (8, 3, "held[N] = hear('N', held[R].client.request({ ':path': '/«|echo|late|large»', ':method': 'POST' }), 'ready response data end finish error close', { response() { B0 }, end() { B1 }, close() { B2 } }); held[N].end(«|'abc'»);", ("session",)),
        "streams": (3, 0, "for (const k of ['a', 'b']) held[`N${k}`] = hear(`N${k}`, held[R].client.request({ ':path': '/' }), 'ready response data end finish error close');", ("session",)),
        "reset stream": (2, 1, "held[N] = hear('N', held[R].client.request({ ':path': '/late' }), 'response end error close', { close() { B0 } }); held[N].«close(8)|destroy()|close()»;", ("session",)),
        "close stream": (1, 0, "if (held[T]?.rstCode !== undefined) held[T].close();"),
        "ping": (3, 1, "if (!held[R].P.destroyed) held[R].P.ping((e) => { log(`N ${describe(e)}`); B0 });", ("session",)),
        "settings": (2, 1, "if (!held[R].P.destroyed) held[R].P.settings({ maxConcurrentStreams: 50 }, () => { log('N'); B0 });", ("session",)),
        "goaway": (1, 0, "if (!held[R].P.destroyed) held[R].P.goaway();", ("session",)),
        "close session": (2, 1, "held[R].P.close(() => { log('N'); B0 });", ("session",)),
        "destroy session": (1, 0, "held[R].P.destroy();", ("session",)),
    },
}

RESOURCES = {
    "udp": ("datagrams(N, ready)", [("one", "message error close", ("message", "close")), ("two", "message error close", ("message", "close"))]),
    "web": ("web(N, '«end|parts|immediate|tick|head»', ready)", [("", "connection request clientError close", ("connection", "request", "close"))]),
    "secure": ("secured(N, { «|maxVersion: 'TLSv1.2'|allowHalfOpen: true» }, ready)",
               [("client", SOCKET, ("data", "end", "close", "finish", "drain")), ("server", SOCKET, ("data", "end", "close", "finish"))]),
    "session": ("session(N, «false|true», ready)", [("client", "stream goaway error close", ("close",)), ("server", "stream goaway error close", ("stream", "close"))]),
}
GROUP_OF_RESOURCE = {"udp": "datagrams", "web": "http", "secure": "tls", "session": "http2"}
OFTEN = {"datagrams": 12, "compression": 12, "http": 15, "tls": 12, "http2": 10}
WEIGHT = {"datagrams": 14, "compression": 8, "http": 25, "tls": 25, "http2": 25}
ELSEWHERE = {"compression", "datagram to a name"}
SEVERAL_TRIPS = {"compression"}
