'use strict';
const assert = require('node:assert');
const net = require('node:net');
const { test } = require('node:test');
const { StreamHandle, kPipe, kQueued, kSent, kTcp } = require('internal/net/stream_handle');
const { ServerHandle } = require('internal/net/server_handle');
const { EBADF, ECANCELED, ENOTCONN, EPIPE } = require('node:os').constants.errno;

// More than the buffers of a connection hold.
const kMuch = 64 << 20;

// Calls `use(handle, peer)` with the two sides of a connection; `peer` is a socket that does not read.
async function connected(use) {
  const server = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const accepted = new Promise((resolve) => server.once('connection', resolve));
  const handle = new StreamHandle(kTcp);
  const { port } = server.address();
  assert.strictEqual(await new Promise((resolve) => {
    assert.strictEqual(handle.connect('127.0.0.1', port, undefined, undefined, resolve), 0);
  }), 0);
  const peer = await accepted;
  peer.on('error', () => {});
  try {
    await use(handle, peer);
  } finally {
    peer.destroy();
    handle.close();
    server.close();
  }
}

function textOf(peer, length) {
  return new Promise((resolve) => {
    let text = '';
    peer.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.length >= length) resolve(text);
    }).resume();
  });
}

const unexpected = () => assert.fail('there must be no callback');

test('a small write is sent, of every type', () => connected(async (handle, peer) => {
  assert.strictEqual(handle.write(Buffer.from('one,'), undefined, unexpected), kSent);
  assert.strictEqual(handle.write('\u00e9,', 'utf8', unexpected), kSent);
  assert.strictEqual(handle.write('\u00e9,', 'latin1', unexpected), kSent);
  assert.strictEqual(handle.write('3031', 'hex', unexpected), kSent);
  assert.strictEqual(handle.write('', 'utf8', unexpected), kSent);
  assert.strictEqual(handle.writev([
    { chunk: ',', encoding: 'utf8' },
    { chunk: Buffer.from('list'), encoding: 'buffer' },
    { chunk: '\u00e9', encoding: 'binary' },
    { chunk: '', encoding: 'utf8' },
  ], false, unexpected), kSent);
  assert.strictEqual(handle.writev([], true, unexpected), kSent);
  const expected = 'one,\xc3\xa9,\xe9,01,list\xe9';
  assert.strictEqual(handle.bytesWritten, expected.length);
  assert.strictEqual(handle.writeQueueSize, 0);
  assert.strictEqual(await textOf(peer, expected.length), expected);
}));

test('what the kernel does not take is queued, and reported in order', () => connected(async (handle, peer) => {
  const order = [];
  const done = new Promise((resolve) => {
    const first = Buffer.alloc(kMuch, 'a');
    assert.strictEqual(handle.write(first, undefined, (status) => order.push(['a', status])), kQueued);
    assert.strictEqual(handle.write('b', 'utf8'), kQueued);
    assert.strictEqual(handle.write('c'.repeat(100_000), 'latin1', (status) => order.push(['c', status])), kQueued);
    assert.strictEqual(handle.writev([{ chunk: Buffer.from('d') }, { chunk: Buffer.alloc(20_000, 'e') }], true,
      (status) => resolve(order.push(['e', status]))), kQueued);
  });
  const total = kMuch + 1 + 100_000 + 1 + 20_000;
  assert.ok(handle.writeQueueSize > 0 && handle.writeQueueSize < total, 'a part is sent');
  assert.strictEqual(handle.bytesWritten, total);
  assert.deepStrictEqual(order, []);
  const text = await textOf(peer, total);
  await done;
  assert.deepStrictEqual(order, [['a', 0], ['c', 0], ['e', 0]]);
  assert.strictEqual(text.length, total);
  assert.strictEqual(text.slice(kMuch - 1, kMuch + 2), 'abc');
  assert.strictEqual(text.slice(-20_002, -19_999), 'cde');
  assert.strictEqual(handle.writeQueueSize, 0);
}));

test('a write fails with an errno, and without a callback', () => connected(async (handle, peer) => {
  await new Promise((resolve) => handle.shutdown(resolve));
  assert.strictEqual(handle.write('x', 'utf8', unexpected), -EPIPE);
  assert.strictEqual(handle.write(Buffer.from('x'), undefined, unexpected), -EPIPE);
  assert.strictEqual(handle.writev([{ chunk: Buffer.from('x') }], true, unexpected), -EPIPE);
  peer.destroy();
}));

test('a handle without a socket is not connected', async () => {
  const handle = new StreamHandle(kPipe);
  assert.strictEqual(handle.write('x', 'utf8', unexpected), -ENOTCONN);
  assert.strictEqual(handle.readStart(), -ENOTCONN);
  await new Promise((resolve) => handle.close(resolve));
});

test('closing cancels what is queued; a closed handle answers EBADF', () => connected(async (handle) => {
  const statuses = [];
  assert.strictEqual(handle.write(Buffer.alloc(kMuch), undefined, (status) => statuses.push(status)), kQueued);
  const closed = new Promise((resolve) => handle.close(resolve));
  handle.close(unexpected);
  const isUnusable = () => {
    assert.strictEqual(handle.write('x', 'utf8', unexpected), -EBADF);
    assert.strictEqual(handle.write(Buffer.from('x'), undefined, unexpected), -EBADF);
    assert.strictEqual(handle.writev([{ chunk: Buffer.from('x') }], true, unexpected), -EBADF);
    assert.strictEqual(handle.readStart(), -EBADF);
    assert.strictEqual(handle.shutdown(unexpected), -EBADF);
    assert.strictEqual(handle.reading, false);
    assert.strictEqual(handle.hasRef(), false);
    assert.strictEqual(handle.fd, -1);
    assert.strictEqual(handle.release(), -1);
  };
  isUnusable();
  await closed;
  assert.deepStrictEqual(statuses, [-ECANCELED]);
  isUnusable();
  handle.ref();
  handle.unref();
}));

test('bad arguments of send() are bugs of lib', () => connected(async (handle) => {
  const misuse = { code: 'ERR_INTERNAL_ASSERTION' };
  for (const bad of [undefined, null, 1, {}, new ArrayBuffer(1)]) {
    assert.throws(() => handle.send(bad), misuse);
    assert.throws(() => handle.send([bad, false]), misuse);
  }
  assert.strictEqual(handle.bytesWritten, 0);
}));

test('methods of a handle refuse other receivers', () => {
  const { prototype } = StreamHandle;
  for (const receiver of [{}, Object.create(prototype), new ServerHandle(false), undefined]) {
    assert.strictEqual(prototype.send.call(receiver, 'x'), -EBADF);
    assert.strictEqual(prototype.readStart.call(receiver), -EBADF);
    assert.strictEqual(prototype.open.call(receiver, 0), -EBADF);
    receiver?.close?.();
  }
});

test('reading, ref and unref are the state of the native handle', () => connected(async (handle) => {
  assert.strictEqual(handle.reading, false);
  assert.strictEqual(handle.readStart(), 0);
  assert.strictEqual(handle.reading, true);
  handle.readStop();
  assert.strictEqual(handle.reading, false);
  assert.strictEqual(handle.hasRef(), true);
  handle.unref();
  assert.strictEqual(handle.hasRef(), false);
  handle.ref();
  assert.strictEqual(handle.hasRef(), true);
}));
