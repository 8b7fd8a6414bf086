// The option maxTimeout limits every try: the query ends before one that waits for its whole timeout.
const dgram = require('node:dgram');
const dns = require('node:dns');

const server = dgram.createSocket('udp4');
let received = 0;
let running = 2;
// Three messages in all: two tries of one query, one of the other.
function end() {
  if (running > 0 || received < 3) return;
  console.log(received);
  server.close();
}
server.on('message', () => {
  received++;
  end();
});
server.bind(0, '127.0.0.1', () => {
  const make = (options) => {
    const resolver = new dns.Resolver(options);
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    return resolver;
  };
  const patient = make({ timeout: 60000, tries: 1, maxTimeout: 60000 });
  const limited = make({ timeout: 60000, tries: 2, maxTimeout: 100 });
  patient.resolve4('a.test', (error) => {
    console.log('patient', error.code);
    running--;
    end();
  });
  limited.resolve4('a.test', (error) => {
    console.log('limited', error.code);
    running--;
    patient.cancel();
  });
});
