'use strict';
// The order of events of a request and its response on both sides, with ticks, promises and immediates between them.
const http2 = require('http2');

const log = (text) => console.log(text);
const watch = (emitter, name, events) => {
  for (const event of events) emitter.on(event, () => log(`${name} ${event}`));
};
const server = http2.createServer();
server.on('session', (session) => {
  log('server session');
  watch(session, 'server session', ['connect', 'localSettings', 'remoteSettings', 'goaway', 'close']);
});
server.on('stream', (stream, headers, flags) => {
  log(`server stream ${headers[':method']} ${headers[':path']} flags ${flags}`);
  process.nextTick(log, 'server tick');
  Promise.resolve().then(() => log('server promise'));
  watch(stream, 'server stream', ['end', 'prefinish', 'finish', 'close', 'aborted']);
  stream.on('data', (data) => log(`server data ${data}`));
  stream.on('end', () => {
    stream.respond({ ':status': 201, 'x-field': 'value' });
    log(`server headersSent ${stream.headersSent}`);
    stream.write('one', () => log('server write callback'));
    stream.end('two', () => log('server end callback'));
    log('server ended');
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  watch(client, 'client session', ['localSettings', 'remoteSettings', 'goaway', 'close']);
  client.on('connect', () => {
    log(`client connect ${client.alpnProtocol} ${client.encrypted} ${client.connecting}`);
    process.nextTick(log, 'client connect tick');
  });
  const request = client.request({ ':method': 'POST', ':path': '/order' });
  log(`client pending ${request.pending} ${request.id}`);
  watch(request, 'client stream', ['ready', 'prefinish', 'finish', 'end', 'close']);
  request.on('response', (headers, flags) => {
    log(`client response ${headers[':status']} ${headers['x-field']} flags ${flags} id ${request.id}`);
    process.nextTick(log, 'client response tick');
    Promise.resolve().then(() => log('client response promise'));
  });
  request.on('data', (data) => log(`client data ${data}`));
  request.on('end', () => {
    setImmediate(log, 'client end immediate');
    client.close(() => log('client closed'));
    server.close(() => log('server closed'));
  });
  request.end('body', () => log('client end callback'));
});
