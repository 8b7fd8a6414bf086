// WebSockets: ws with itself and with the global WebSocket, socket.io with its client.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { WebSocket as WsClient, WebSocketServer } from 'ws';

const echo = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: { threshold: 100 } });
echo.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
await once(echo, 'listening');
const url = `ws://127.0.0.1:${echo.address().port}`;

const client = new WsClient(url);
await once(client, 'open');
for (const message of ['text', 'x'.repeat(70000), Buffer.from([1, 2, 3])]) {
  client.send(message);
  const [data, isBinary] = await once(client, 'message');
  console.log('ws', data.length, isBinary);
}
client.close(1000, 'enough');
const [code, reason] = await once(client, 'close');
console.log('ws closed', code, String(reason));

const standard = new WebSocket(url);
standard.binaryType = 'arraybuffer';
await new Promise((resolve) => { standard.onopen = resolve; });
const answer = () => new Promise((resolve) => { standard.onmessage = ({ data }) => resolve(data); });
standard.send('from the standard');
console.log('standard', await answer());
standard.send(new Uint8Array([4, 5]));
console.log('standard', await answer());
standard.close(3001, 'bye');
await new Promise((resolve) => {
  standard.onclose = ({ code, reason, wasClean }) => resolve(console.log('standard closed', code, reason, wasClean));
});
await new Promise((resolve) => echo.close(resolve));

const http = createServer();
const sockets = new Server(http);
sockets.on('connection', (socket) => {
  socket.on('add', (a, b, done) => done(a + b));
  socket.on('room', (name) => {
    socket.join(name);
    sockets.to(name).emit('joined', name, Buffer.from('bytes'));
  });
});
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) {
  const peer = io(`http://127.0.0.1:${http.address().port}`, { transports, forceNew: true });
  await new Promise((resolve) => peer.once('connect', resolve));
  console.log('socket.io', transports.join(), await peer.emitWithAck('add', 2, 3));
  peer.emit('room', 'one');
  console.log('socket.io', await new Promise((resolve) =>
    peer.once('joined', (name, bytes) => resolve(`${name} ${bytes.length}`))));
  peer.disconnect();
}
await sockets.close();
console.log('closed');
