// The HTTP service: one of several processes that listen on the same port; host.mjs starts them.
//   POST /login {"customer"}           starts a session
//   GET  /me                           the customer, and the number of visits
//   POST /orders {"amount"}            accepts an order; the header Idempotency-Key is its id
//   GET  /orders/ID                    the state of an order
//   GET  /health                       for the proxy: 200, or 404 while this host shuts down
import { createServer } from 'node:http';
import { countVisit, sessionOf, startSession } from './sessions.mjs';
import { settings } from './settings.mjs';
import { connectRedis, enqueue, openDatabase, openQueue } from './stores.mjs';

const kMostBytes = 64 * 1024;
const kMostAmount = 1_000_000;
const kKey = /^[\w-]{8,64}$/;

const redis = connectRedis();
const pool = openDatabase();
const queue = openQueue(redis);
let isDraining = false;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function bodyOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > kMostBytes) throw new Refused(413, 'the body is too large');
  }
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
}

async function customerOf(request) {
  const session = await sessionOf(redis, request);
  if (session === null) throw new Refused(401, 'log in first');
  return session;
}

async function login(request) {
  const { customer } = await bodyOf(request);
  const cookie = await startSession(redis, customer);
  if (cookie === null) throw new Refused(400, 'customer must be a short name');
  return { status: 201, headers: { 'set-cookie': cookie }, body: { customer } };
}

async function me(request) {
  const session = await customerOf(request);
  return { body: { customer: session.customer, visits: await countVisit(redis, session) } };
}

// The answer is sent when the order is in the database and in the queue. A process that is killed in between
// has not answered: the client sends the order again, with the same key, or the sweep of worker.mjs finds it.
async function createOrder(request) {
  const { customer } = await customerOf(request);
  const id = request.headers['idempotency-key'];
  if (!kKey.test(id ?? '')) throw new Refused(400, 'Idempotency-Key must be 8 to 64 letters, digits, _ and -');
  const { amount } = await bodyOf(request);
  if (!Number.isInteger(amount) || amount < 1 || amount > kMostAmount) {
    throw new Refused(400, `amount must be 1 to ${kMostAmount}`);
  }
  const { rowCount } = await pool.query(
    'INSERT INTO orders (id, customer, amount) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING',
    [id, customer, amount]);
  if (rowCount === 0) {
    const { rows: [known] } = await pool.query('SELECT customer, amount FROM orders WHERE id = $1', [id]);
    const isSame = known.customer === customer && known.amount === amount;
    if (!isSame) throw new Refused(422, 'this key is another order');
  }
  await enqueue(queue, id);
  return { status: 202, headers: { location: `/orders/${id}` }, body: { id, isNew: rowCount === 1 } };
}

async function orderState(request, id) {
  const { customer } = await customerOf(request);
  const { rows: [order] } = await pool.query(
    `SELECT amount, paid IS NOT NULL AS "isPaid" FROM orders LEFT JOIN payments ON order_id = id
     WHERE id = $1 AND customer = $2`, [id, customer]);
  if (order === undefined) throw new Refused(404, 'there is no such order');
  return { body: order };
}

function health() {
  if (isDraining) process.send?.({ sawDraining: true });
  return { status: isDraining ? 404 : 200, body: { isDraining } };
}

function answer(request) {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /health') return health();
  if (route === 'POST /login') return login(request);
  if (route === 'GET /me') return me(request);
  if (route === 'POST /orders') return createOrder(request);
  const order = /^GET \/orders\/([\w-]+)$/.exec(route);
  if (order) return orderState(request, order[1]);
  throw new Refused(404, 'there is no such page');
}

const server = createServer(async (request, response) => {
  let reply;
  try {
    reply = await answer(request);
  } catch (error) {
    if (!(error instanceof Refused)) console.error(`${request.method} ${request.url}:`, error);
    reply = { status: error.status ?? 500, body: { error: error.status ? error.message : 'internal error' } };
  }
  if (response.destroyed) return;
  response.writeHead(reply.status ?? 200, {
    'content-type': 'application/json',
    'x-served-by': `${settings.host}/${process.pid}/${settings.version}`,
    ...reply.headers,
  });
  response.end(`${JSON.stringify(reply.body)}\n`);
});
// Longer than the proxy's: the side that sends requests must be the one that closes idle connections.
server.keepAliveTimeout = 65_000;

// close() ends idle connections at once and the others after their response.
async function stop() {
  await new Promise((resolve) => server.close(resolve));
  await queue.close();
  await redis.quit();
  await pool.end();
  process.disconnect?.();
}

process.on('message', (message) => {
  if (message === 'drain') isDraining = true;
  if (message === 'stop') stop();
});
process.on('disconnect', () => { if (server.listening) stop(); }); // host.mjs is gone.
// Control-C and systemd send a signal to all processes of a host, and host.mjs decides what they do.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { if (!process.connected) stop(); });
server.listen({ host: settings.address, port: settings.port, reusePort: true }, () => {
  process.send?.({ isReady: true });
});
