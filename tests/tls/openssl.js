'use strict';
// Both ends with OpenSSL's own programs, in all versions. Skipped if they are not there.
const assert = require('assert');
const path = require('path');
const tls = require('tls');
const { spawn, spawnSync } = require('child_process');
const { ca, pair } = require('../golden/tls/fixtures/keys');

const fixtures = path.join(__dirname, '../golden/tls/fixtures');
const versions = { 'TLSv1.2': '-tls1_2', 'TLSv1.3': '-tls1_3' };

function hasOpenssl() {
  return spawnSync('openssl', ['version']).status === 0;
}

const until = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

function collect(stream) {
  const result = { text: '' };
  stream.setEncoding('latin1');
  stream.on('data', (chunk) => { result.text += chunk; });
  return result;
}

// `openssl s_client` gets a line back, and more data than one record has.
async function toServer(version, flag) {
  const server = tls.createServer({ ...pair('server'), ca, requestCert: true, minVersion: 'TLSv1.2' }, (socket) => {
    assert.strictEqual(socket.getProtocol(), version);
    assert.strictEqual(socket.getPeerCertificate().subject.CN, 'client');
    socket.once('data', (line) => socket.end(`${line}${'x'.repeat(100_000)}`));
  });
  server.listen(0, '127.0.0.1');
  await until(server, 'listening');
  const client = spawn('openssl', [
    's_client', flag, '-quiet', '-verify_return_error', '-CAfile', `${fixtures}/ca.pem`, '-servername', 'localhost',
    '-verify_hostname', 'localhost', '-cert', `${fixtures}/client.pem`, '-key', `${fixtures}/client-key.pem`,
    '-connect', `127.0.0.1:${server.address().port}`,
  ], { stdio: ['pipe', 'pipe', 'ignore'] });
  const output = collect(client.stdout);
  client.stdin.write('hello\n');
  await until(client, 'close');
  assert.strictEqual(output.text, `hello\n${'x'.repeat(100_000)}`);
  server.close();
  await until(server, 'close');
}

// `openssl s_server -rev` sends each line back in reverse.
async function fromClient(version, flag) {
  const server = spawn('openssl', [
    's_server', flag, '-rev', '-accept', '127.0.0.1:0', '-cert', `${fixtures}/server.pem`, '-key',
    `${fixtures}/server-key.pem`, '-cert_chain', `${fixtures}/middle.pem`,
  ], { stdio: ['pipe', 'pipe', 'ignore'] });
  const output = collect(server.stdout);
  let port;
  while (port === undefined) {
    await until(server.stdout, 'data');
    port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(output.text)?.[1];
  }
  const client = tls.connect({ port: +port, host: '127.0.0.1', ca });
  await until(client, 'secureConnect');
  assert.strictEqual(client.authorized, true);
  assert.strictEqual(client.getProtocol(), version);
  client.write('abc\n');
  const answer = await until(client, 'data');
  assert.strictEqual(String(answer), 'cba\n');
  client.destroy();
  await until(client, 'close');
  server.kill();
  await until(server, 'close');
}

async function main() {
  if (!hasOpenssl()) {
    console.log('skipped: there is no openssl');
    process.exitCode = 77;
    return;
  }
  for (const [version, flag] of Object.entries(versions)) {
    await toServer(version, flag);
    await fromClient(version, flag);
    console.log(version, 'ok');
  }
}
main();
