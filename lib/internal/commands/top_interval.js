'use strict';
// The changes between two successive answers of a process to `top`.
const { percentile } = require('internal/commands/top_lag');

// Slow callbacks stay on the screen for so long.
const kShown = 10_000;

class Interval {
  // `slow` is what earlier intervals saw, and is kept by the caller.
  constructor(before, now, slow) {
    this.blocked = now.blocked;
    this.stuck = now.stuck;
    this.waited = now.waited;
    this.isKnown = now.figures !== undefined;
    const last = this.isKnown ? now : before;
    const from = before.figures;
    const to = last.figures;
    this.figures = to;
    this.memory = last.memory;
    this.elapsed = to.now - from.now;
    const perSecond = (amount) => (this.elapsed > 0 ? amount * 1000 / this.elapsed : 0);
    this.turns = perSecond(to.turns - from.turns);
    this.callbacks = perSecond(to.callbacks - from.callbacks);
    this.events = perSecond(to.events - from.events);
    this.idle = to.idle - from.idle;
    this.utilization = this.elapsed > 0 ? Math.min(1, Math.max(0, 1 - this.idle / this.elapsed)) : 0;
    this.phases = {};
    for (const name of Object.keys(to.phases)) this.phases[name] = to.phases[name] - from.phases[name];
    // Poll sleeps, and its own work is the rest.
    this.phases.poll = Math.max(0, this.phases.poll - this.idle);
    this.lag = percentile(before.lag, last.lag);
    this.http = last.http === undefined ? null : this.#readHttp(before.http, last.http, perSecond);
    this.#takeSlow(now.slow ?? [], slow, Date.now());
  }

  #readHttp(from, to, perSecond) {
    const { count, p50, p99, max } = percentile(from?.durations ?? [], to.durations);
    return {
      requestsPerSecond: perSecond(to.requests - (from?.requests ?? 0)),
      requests: count,
      p50,
      p99,
      max,
      connections: to.connections,
      inFlight: to.inFlight,
    };
  }

  #takeSlow(fresh, slow, now) {
    for (const one of fresh) {
      const key = one.stack.length === 0 ? '' : `${one.stack[0].file}:${one.stack[0].line}:${one.stack[0].function}`;
      const same = slow.find((other) => other.key === key && other.isDrain === one.isDrain);
      if (same === undefined) {
        slow.push({ key, ...one, count: 1, seen: now });
      } else {
        same.count++;
        same.seen = now;
        if (one.duration > same.duration) Object.assign(same, { duration: one.duration, stack: one.stack });
      }
    }
    for (let i = slow.length - 1; i >= 0; i--) if (now - slow[i].seen > kShown) slow.splice(i, 1);
    slow.sort((a, b) => b.duration - a.duration);
    this.slow = slow;
  }

  toJSON() {
    const { turns, callbacks, events, utilization, phases, lag, figures, memory, blocked, stuck, waited } = this;
    const { 0: rss, 1: heapTotal, 2: heapUsed, 3: external, 4: arrayBuffers } = memory;
    return {
      elapsed: this.elapsed,
      turnsPerSecond: turns,
      callbacksPerSecond: callbacks,
      eventsPerSecond: events,
      utilization,
      idle: this.idle,
      phases,
      lag,
      queues: figures.queues,
      pool: figures.pool,
      http: this.http,
      slow: this.slow.map(({ duration, isDrain, count, stack }) => ({ duration, isDrain, count, stack })),
      memory: { rss, heapTotal, heapUsed, external, arrayBuffers },
      answeredIn: waited,
      blocked,
      stuck,
    };
  }
}

module.exports = { Interval };
