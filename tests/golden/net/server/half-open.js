// One side has ended: with allowHalfOpen the other goes on.
const net = require('node:net');

// The order in which the two sides see the end is not specified.
let closed = 0;
let hadServerError;
const onClosed = () => {
  if (++closed < 2) return;
  console.log('server close', hadServerError);
  other();
};
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  console.log('server', socket.allowHalfOpen);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => { text += chunk; });
  socket.on('end', () => {
    console.log('server got', text, socket.readyState);
    socket.write('first ');
    setTimeout(() => socket.end('second'), 10);
  });
  socket.on('close', (hadError) => {
    hadServerError = hadError;
    onClosed();
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect({ port: server.address().port, host: '127.0.0.1' }, () => client.end('question'));
  let text = '';
  client.on('data', (chunk) => { text += chunk; });
  client.on('end', () => console.log('client got', text, client.readyState));
  client.on('close', () => {
    console.log('client close', client.readyState);
    onClosed();
  });
});

// Without it our side ends by itself; what is written then comes too late.
function other() {
  server.removeAllListeners('connection');
  server.allowHalfOpen = false;
  server.on('connection', (socket) => {
    socket.resume();
    socket.on('end', () => {
      console.log('server end', socket.writable, socket.writableEnded);
      socket.on('close', () => setImmediate(() => {
        console.log(socket.writableEnded);
        socket.on('error', (error) => console.log(error.code, error.message));
        console.log(socket.write('too late', (error) => console.log('written', error.code)));
      }));
    });
    socket.on('close', (hadError) => {
      console.log('server close', hadError);
      server.close();
    });
  });
  const client = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true }, () => client.end());
  client.resume();
}
