// pause(), resume(), pauseOnConnect, and 'readable'.
const net = require('node:net');

const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  let early = true;
  console.log('server', socket.isPaused(), socket.readableFlowing);
  socket.on('data', (chunk) => console.log('data', `${chunk}`, early));
  setTimeout(() => {
    console.log('nothing yet', socket.bytesRead);
    early = false;
    socket.resume();
  }, 30);
  socket.on('end', () => socket.end('answer in the end'));
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => client.end('question'));
  client.on('readable', () => {
    let chunk;
    while ((chunk = client.read(6)) !== null) console.log('read', `${chunk}`);
    const rest = client.read();
    if (rest !== null) console.log('rest', `${rest}`);
  });
  client.on('end', () => console.log('end'));
  client.on('close', () => {
    console.log('close');
    second();
  });
});

function second() {
  server.removeAllListeners('connection');
  server.pauseOnConnect = false;
  server.on('connection', (socket) => {
    socket.on('data', (chunk) => {
      console.log('chunk', `${chunk}`);
      socket.pause();
      console.log(socket.isPaused());
      if (!client.writableEnded) client.end('two');  // It arrives meanwhile, but is not delivered here.
      setTimeout(() => socket.resume(), 20);
    });
    socket.on('end', () => {
      console.log('end');
      server.close();
    });
  });
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('one'));
}
