// Two responses in the order of their requests: the answers come over two connections, and nothing orders those.
const net = require('net');

const answers = [];
const server = net.createServer((socket) => socket.on('data', (question) => socket.end(`answer to ${question}`)));
server.listen(0, '127.0.0.1', () => {
  for (const question of ['one', 'two']) {
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(question));
    socket.on('data', (text) => answers.push(String(text)));
    socket.on('close', () => {
      if (answers.length < 2) return;
      server.close();
      if (answers[0] !== 'answer to one') throw new Error(`the first answer is the ${answers[0]}`);
    });
  }
});
