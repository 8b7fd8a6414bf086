// Datagrams between two sockets of the loop take no time, a server that waits for clients does not stop the clock, and a
// client that gives up after five seconds does so at once.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
const began = Date.now();
const log = (...words) => console.log(Date.now() - began, ...words);

server.on('message', (message, { port, address }) => {
  log('server got', String(message));
  const delay = { soon: 100, later: 3_600_000 }[message];
  if (delay !== undefined) setTimeout(() => server.send(`answer ${message}`, port, address), delay);
});
client.on('message', (message) => {
  log('client got', String(message));
  if (String(message) === 'answer soon') client.send('later');
  if (String(message) === 'answer later') giveUp();
});
function giveUp() {
  client.send('never');
  setTimeout(() => {
    log('no answer');
    client.close();
    setTimeout(() => {
      log('an idle day');
      server.close();
    }, 86_400_000);
  }, 5000);
}
server.bind(0, '127.0.0.1', () => client.connect(server.address().port, '127.0.0.1', () => client.send('soon')));
