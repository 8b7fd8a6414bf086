// Exceptions of sockets, and arguments that they accept.
const net = require('node:net');

function attempt(name, fn) {
  try {
    console.log(name, '->', fn());
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}
const kind = (socket) => socket.constructor.name;
attempt('objectMode', () => new net.Socket({ objectMode: true }));
attempt('readableObjectMode', () => new net.Socket({ readableObjectMode: true }));
attempt('writableObjectMode', () => new net.Socket({ writableObjectMode: true }));
attempt('fd -1', () => new net.Socket({ fd: -1 }));
attempt('fd text', () => new net.Socket({ fd: 'x' }));
attempt('fd fraction', () => new net.Socket({ fd: 1.5 }));
attempt('fd that is not open', () => new net.Socket({ fd: 9999 }));
attempt('fd as the only argument', () => new net.Socket(9999));
attempt('keepAliveInitialDelay', () => new net.Socket({ keepAliveInitialDelay: 'a' }));
attempt('keepAliveInitialDelay -1', () => kind(new net.Socket({ keepAliveInitialDelay: -1 })));
attempt('highWaterMark', () => new net.Socket({ highWaterMark: 'a' }));
attempt('null', () => kind(new net.Socket(null)));
attempt('onread that is not', () => kind(new net.Socket({ onread: 5 })));
const socket = new net.Socket();
attempt('setTimeout text', () => socket.setTimeout('x'));
attempt('setTimeout -1', () => socket.setTimeout(-1));
attempt('setTimeout Infinity', () => socket.setTimeout(Infinity));
attempt('setTimeout callback', () => socket.setTimeout(5, 5));
attempt('setTimeout 0, callback', () => socket.setTimeout(0, 5));
attempt('setTimeout', () => socket.setTimeout(0) === socket);
attempt('setNoDelay', () => socket.setNoDelay() === socket);
attempt('setKeepAlive', () => socket.setKeepAlive(true, 'x') === socket);
attempt('ref', () => socket.ref() === socket);
attempt('unref', () => socket.unref() === socket);
attempt('address', () => socket.address());
attempt('write null', () => socket.write(null));
attempt('write to an unknown encoding', () => socket.write('x', 'nope'));
attempt('setEncoding', () => socket.setEncoding('nope'));
attempt('state', () => [socket.readyState, socket.pending, socket.connecting, socket.bytesRead, socket.bytesWritten,
                        socket.bufferSize, socket.remoteAddress, socket.localPort]);
attempt('pause, resume', () => socket.pause() === socket && socket.resume() === socket);
attempt('destroy', () => socket.destroy() === socket);
attempt('state', () => [socket.readyState, socket.pending, socket.destroyed]);
socket.on('close', (...args) => console.log('close', args));

const unconnected = new net.Socket();
unconnected.on('error', (error) => console.log(error.code, error.message));
unconnected.on('close', (...args) => console.log('close', args));
attempt('write without a connection', () => unconnected.write('x', (error) => console.log('written', error.code)));

const reset = new net.Socket();
reset.on('error', (error) => console.log(error.code, error.message));
attempt('resetAndDestroy', () => reset.resetAndDestroy() === reset);
