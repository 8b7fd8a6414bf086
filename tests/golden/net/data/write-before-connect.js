// Writes before there is a connection wait for it.
const net = require('node:net');

const server = net.createServer((socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => { text += chunk; });
  socket.on('end', () => console.log('server got', text));
});
server.listen(0, '127.0.0.1', () => {
  const client = new net.Socket();
  const order = [];
  client.connect(server.address().port, '127.0.0.1', () => order.push('connected'));
  console.log(client.write('one ', () => order.push('one')), client.bytesWritten, client.bufferSize);
  console.log(client.write(Buffer.from('two '), () => order.push('two')), client.bytesWritten, client.writableLength);
  console.log(client.write('dr\u00ef ', 'latin1', () => order.push('three')), client.bytesWritten);
  console.log(client.end('end', () => order.push('end')) === client, client.readyState);
  client.on('close', () => {
    console.log(order.join(), client.bytesWritten);
    server.close();
  });
});

// One that never comes about.
server.on('close', () => {
  const lost = net.connect(1, '127.0.0.1');
  const seen = [];
  lost.write('lost', (error) => seen.push(`written ${error.code} ${error.message}`));
  lost.write('lost too', (error) => seen.push(`written ${error.code} ${error.message}`));
  lost.on('error', (error) => seen.push(`error ${error.code}`));
  lost.on('close', (hadError) => {
    console.log([...seen, `close ${hadError}`]);
    giveUp();
  });
});

function giveUp() {
  const given = net.connect(1, '127.0.0.1');
  given.write('lost', (error) => console.log(`given up: ${error.code} ${error.message}`));
  given.on('close', (hadError) => console.log('given up: close', hadError));
  given.destroy();
}
