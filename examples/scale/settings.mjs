// The settings of this example, from the environment: the same variables for all processes of a host.
import { hostname } from 'node:os';

function number(name, standard) {
  const text = process.env[name] ?? String(standard);
  if (!/^\d+$/.test(text)) throw new RangeError(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

export const settings = {
  host: process.env.HOST_NAME ?? hostname(),
  version: process.env.APP_VERSION ?? '1',
  address: process.env.ADDRESS ?? '127.0.0.1',
  port: number('PORT', 8080),
  services: number('SERVICES', 2), // Processes that answer HTTP, all on the same port.
  workers: number('WORKERS', 1), // Processes that take jobs from the queue.
  redis: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  database: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  // The time that a job only waits: a call of another company's service would take as long.
  workMs: number('WORK_MS', 50),
  // A worker that has not renewed its lock for so long is dead, and another one takes its job.
  lockMs: number('LOCK_MS', 30_000),
  // Orders without a payment after this time are queued again.
  sweepMs: number('SWEEP_MS', 60_000),
  // A host that shuts down serves on until the proxy has seen this many answers that say so, or this time is over.
  drainChecks: number('DRAIN_CHECKS', 3),
  drainMs: number('DRAIN_MS', 10_000),
  // A process that is still running so long after the order to stop is killed.
  stopMs: number('STOP_MS', 30_000),
};
