// Takes orders from the queue and charges them; host.mjs starts it. A job may run more than once: its worker may be
// killed, or be so slow that another one takes the job over. The effect on the database happens once.
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { settings } from './settings.mjs';
import { connectRedis, enqueue, kQueue, openDatabase, openQueue } from './stores.mjs';

const kConcurrency = 4;
const kSweepAtOnce = 100;

const pool = openDatabase();
const redis = connectRedis();
const queue = openQueue(redis);
const me = `${settings.host}/${process.pid}`;

async function charge({ data: { id } }) {
  await pool.query('INSERT INTO attempts (order_id, worker) VALUES ($1, $2)', [id, me]);
  // Before the transaction, which holds a lock. A real payment service gets the id of the order as its own
  // idempotency key: the database can only make effects happen once that it knows of.
  await wait(settings.workMs);
  const client = await pool.connect();
  let failure;
  try {
    await client.query('BEGIN');
    const { rowCount } = await client.query(
      'INSERT INTO payments (order_id) VALUES ($1) ON CONFLICT (order_id) DO NOTHING', [id]);
    if (rowCount === 1) {
      await client.query(
        `INSERT INTO accounts (customer, balance) SELECT customer, amount FROM orders WHERE id = $1
         ON CONFLICT (customer) DO UPDATE SET balance = accounts.balance + excluded.balance`, [id]);
    }
    await client.query('COMMIT');
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(failure); // A connection whose transaction failed is closed, which rolls it back.
  }
}

// Finds accepted orders that no job will charge: the service was killed before it queued them, the job has used up
// its attempts, or Redis has lost its data.
async function sweep() {
  const { rows } = await pool.query(
    `SELECT id FROM orders LEFT JOIN payments ON order_id = id
     WHERE order_id IS NULL AND created < now() - $1 * interval '1 millisecond' LIMIT ${kSweepAtOnce}`,
    [settings.sweepMs]);
  for (const { id } of rows) await enqueue(queue, id);
}

const worker = new Worker(kQueue, charge, {
  connection: connectRedis({ forWorker: true }),
  concurrency: kConcurrency,
  lockDuration: settings.lockMs,
  stalledInterval: settings.lockMs / 2,
  maxStalledCount: 20,
});
worker.on('error', (error) => console.error('worker:', error.message));
worker.on('failed', (job, error) => console.error('job', job?.id, error.message));
worker.on('ready', () => process.send?.({ isReady: true }));

const sweeping = setInterval(() => sweep().catch((error) => console.error('sweep:', error.message)), settings.sweepMs);

// close() waits for the jobs that run and takes no new ones.
let isStopping = false;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  clearInterval(sweeping);
  await worker.close();
  await worker.opts.connection.quit();
  await queue.close();
  await redis.quit();
  await pool.end();
  if (process.connected) process.disconnect();
}

process.on('message', (message) => { if (message === 'stop') stop(); });
process.on('disconnect', stop);
// As in service.mjs.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { if (!process.connected) stop(); });
