// Connections to what all hosts share: sessions and jobs in Redis, data in PostgreSQL.
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { settings } from './settings.mjs';

export const kQueue = 'payments';

// A worker waits for as long as Redis is away; a service answers with an error, and the client asks again.
export function connectRedis({ forWorker = false } = {}) {
  const redis = new Redis(settings.redis, { maxRetriesPerRequest: forWorker ? null : 3, keepAlive: 10_000 });
  redis.on('error', (error) => console.error('redis:', error.message));
  return redis;
}

export function openDatabase() {
  const pool = new pg.Pool({
    connectionString: settings.database,
    max: 5,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
    // A host that loses its power cannot roll back: without this limit its transactions keep their row locks
    // until TCP gives the connection up, which takes minutes.
    idle_in_transaction_session_timeout: 2_000,
    keepAlive: true,
  });
  pool.on('error', (error) => console.error('database:', error.message));
  return pool;
}

// The primary key of `payments` is what makes the effect of a job happen once, however often the job runs.
const kSchema = `
  CREATE TABLE IF NOT EXISTS orders (
    id text PRIMARY KEY, customer text NOT NULL, amount integer NOT NULL, created timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS payments (
    order_id text PRIMARY KEY REFERENCES orders, paid timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS accounts (customer text PRIMARY KEY, balance bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS attempts (
    order_id text NOT NULL, worker text NOT NULL, started timestamptz NOT NULL DEFAULT now());`;
const kSchemaLock = 7_405_731;

// Two hosts may start at the same time, and CREATE TABLE IF NOT EXISTS fails if another one creates the table.
export async function prepareSchema(pool) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [kSchemaLock]);
    await client.query(kSchema);
    await client.query('COMMIT');
  } finally {
    client.release(true);
  }
}

export function openQueue(connection) {
  const queue = new Queue(kQueue, { connection });
  queue.on('error', (error) => console.error('queue:', error.message));
  return queue;
}

// The id of the job is the order's: while the job is queued or runs, adding it again has no effect.
export function enqueue(queue, id) {
  return queue.add('charge', { id }, {
    jobId: id,
    attempts: 20,
    backoff: { type: 'exponential', delay: 100, jitter: 0.5 },
    removeOnComplete: true,
    removeOnFail: true, // The sweep of worker.mjs queues the order again.
  });
}
