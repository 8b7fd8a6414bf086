'use strict';
// Servers and sockets that are sent to a child.
const { fork } = require('child_process');
const net = require('net');

if (process.argv[2] === 'child') {
  process.on('message', (message, handle) => {
    if (message === 'server') {
      handle.on('connection', (socket) => {
        socket.end('from the child');
        handle.close();
      });
      process.send([handle instanceof net.Server, handle.listening, handle.address().port > 0]);
    } else if (message === 'socket') {
      const state = [handle instanceof net.Socket, handle.readyState, handle.remotePort > 0];
      handle.on('data', (chunk) => handle.end(`child got ${chunk}`));
      handle.on('close', () => process.send(state));
    } else if (message === 'end') {
      process.disconnect();
    } else {
      process.send([message, handle === undefined]);
    }
  });
} else {
  const child = fork(__filename, ['child']);
  const server = net.createServer(() => console.log('never'));
  const once = (event) => new Promise((resolve) => child.once(event, resolve));
  const talk = (port, text) => new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1');
    if (text) socket.write(text);
    socket.on('data', (chunk) => { answer += chunk; });
    socket.on('close', () => resolve(answer));
  });
  const listen = (one) => new Promise((resolve) => one.listen(0, '127.0.0.1', () => resolve(one.address().port)));

  (async () => {
    const port = await listen(server);
    console.log(child.send('server', server, (error) => { if (error) throw error; }), server.listening);
    console.log(await once('message'));
    await new Promise((resolve) => server.close(resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(await talk(port));

    let detached;
    let sent;
    const giver = net.createServer({ pauseOnConnect: true }, (socket) => {
      child.send('socket', socket, (error) => { sent = error; });
      detached = socket._handle === null;
      // In order, behind the socket.
      child.send('behind');
    });
    const text = talk(await listen(giver), 'hello');
    const heard = [await once('message'), await once('message')];
    console.log(heard.sort(), detached, sent);
    console.log(await text);
    await new Promise((resolve) => giver.close(resolve));

    // A socket that is closed: the message goes alone.
    child.send('alone', new net.Socket());
    console.log(await once('message'));
    child.send('end');
    console.log(await once('exit'));
  })();
}
