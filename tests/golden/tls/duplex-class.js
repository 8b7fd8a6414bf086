'use strict';
// The class of the socket below a TLSSocket over a Duplex: a net.Socket over any Duplex.
const net = require('net');
const tls = require('tls');
const { duplexPair } = require('stream');

const client = tls.connect({ socket: duplexPair()[0] });
client.on('error', () => {});
const JSStreamSocket = client._handle._parentWrap.constructor;
client.destroy();
console.log(JSStreamSocket.name, JSStreamSocket.StreamWrap === JSStreamSocket);

const [near, far] = duplexPair({ allowHalfOpen: true });
const socket = new JSStreamSocket(near);
console.log(socket instanceof net.Socket, socket.readyState, socket.connecting, socket.pending, socket.stream === near);

let seen = '';
far.on('data', (data) => { seen += data; });
far.on('end', () => {
  console.log('far end', seen);
  far.end('answer');
});
let answer = '';
socket.on('data', (data) => { answer += data; });
socket.on('end', () => console.log('end', answer));
socket.on('close', (hadError) => {
  console.log('close', hadError, near.destroyed);
  receiveText();
});
socket.write('one ');
socket.cork();
socket.write('two ');
socket.write(Buffer.from('three '));
socket.uncork();
socket.end('four', () => console.log('finished'));

// Objects and texts cannot carry bytes.
function receiveText() {
  const [object, other] = duplexPair({ objectMode: true });
  const refusing = new JSStreamSocket(object);
  refusing.on('error', (error) => console.log(error.code, error.message));
  refusing.on('close', (hadError) => console.log('close', hadError, object.destroyed));
  other.write('text');
}
