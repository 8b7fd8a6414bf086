// Strings and buffers, callbacks, cork, drain: received data, and the order of events.
const net = require('node:net');

const server = net.createServer((socket) => {
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => {
    const all = Buffer.concat(chunks);
    console.log('server got', all.length, all.subarray(0, 60).toString('hex'), all.toString('latin1').length);
    server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  const log = [];
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.on('drain', () => log.push('drain'));
    client.on('finish', () => log.push('finish'));
    const told = (name) => (error) => log.push(`${name} ${error === undefined || error === null ? 'out' : error.code}`);
    log.push(client.write('utf8 \u20ac ', told('utf8')));
    log.push(client.write('latin1 \u00e9 ', 'latin1', told('latin1')));
    log.push(client.write('AAEC', 'base64', told('base64')));
    log.push(client.write('ff00', 'hex', told('hex')));
    log.push(client.write('u\u20ac', 'utf16le', told('utf16le')));
    log.push(client.write('', told('empty')));
    log.push(client.write(Buffer.from('buffer '), told('buffer')));
    log.push(client.write(new Uint8Array([97, 98, 99]), told('bytes')));
    log.push(client.writableLength, client.writableNeedDrain);
    client.cork();
    client.write('corked ', told('corked'));
    client.write(Buffer.from('also '), told('also'));
    log.push(client.writableLength, client.writableCorked);
    client.uncork();
    log.push(client.writableLength);
    log.push(client.write(Buffer.alloc(20000), told('large')));
    log.push(client.writableNeedDrain);
    process.nextTick(() => log.push('tick'));
    const all = setInterval(() => {
      if (!log.includes('large out')) return;
      clearInterval(all);
      client.end(Buffer.alloc(5), told('end'));
    }, 5);
  });
  client.on('close', () => {
    console.log(log.join('\n'));
    console.log(client.bytesWritten);
  });
});
