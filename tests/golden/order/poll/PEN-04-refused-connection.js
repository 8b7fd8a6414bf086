// A port without a listener: the error comes from the loop, never from inside connect().
const net = require('node:net');

const server = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => {
    const socket = net.connect(port, '127.0.0.1');
    console.log('connect() returned', socket.connecting);
    socket.on('error', (error) => {
      console.log('error', error.code, error.errno, error.syscall, error.address, error.port === port);
      console.log(error.message.replace(port, 'PORT'));
    });
    socket.on('close', (hadError) => console.log('close', hadError));
    process.nextTick(() => console.log('tick'));
    Promise.resolve().then(() => console.log('promise'));
    console.log('end of the callback');
  });
});
