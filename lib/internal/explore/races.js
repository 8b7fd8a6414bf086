'use strict';
// Pairs of operations that touch the same file, at least one of them changing it, and that come in either order: no cause
// leads from one to the other. That both orders are legal is not inferred but seen, each in a run of its own.
const { parseLog, Story } = require('internal/explore/explain');
const { replayLine, plural } = require('internal/explore/report');

// What has no path of its own: its name differs from run to run.
const kNameless = /^(socket|pipe|anon_inode):/;

function overlaps(one, other) {
  if (one === '' || other === '') return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return long === short || (long.startsWith(short) && (short.endsWith('/') || long[short.length] === '/'));
}

function conflict(a, b) {
  if (!a.writes && !b.writes) return undefined;
  for (const one of a.paths) {
    for (const other of b.paths) {
      if (overlaps(one, other)) return one.length >= other.length ? one : other;
    }
  }
  return undefined;
}

// The operations of one run, each with when it was asked for, when it happened, and in whose callback it was asked for.
function operationsOf(log, folder) {
  const operations = [];
  const byId = new Map();
  const counts = new Map();
  let current = null; // Whose callback runs; null in the main script.
  parseLog(log).forEach((event, i) => {
    if (event.delivered !== undefined) {
      const operation = byId.get(event.delivered);
      if (operation !== undefined) operation.done = i;
      current = operation ?? { label: event.label, place: '', about: '', cause: null, isOther: true };
    } else if (event.scheduled !== undefined) {
      const about = event.about.replaceAll(folder, '$TMPDIR');
      const name = `${event.label} ${about} ${event.place}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const paths = kNameless.test(about) ? [] : about.split(' -> ').filter((path) => path !== '');
      const operation = {
        key: `${name} #${count}`, label: event.label, about, place: event.place, paths, writes: event.writes,
        cause: current, asked: i, done: Infinity,
      };
      byId.set(event.scheduled, operation);
      if (event.label !== 'timer') operations.push(operation);
    }
  });
  return operations;
}

class Races {
  #pairs = new Map();

  // A run, as its log tells.
  add(log, folder, schedule) {
    const operations = operationsOf(log, folder).filter(({ paths }) => paths.length > 0);
    for (let i = 0; i < operations.length; i++) {
      for (let j = 0; j < i; j++) {
        const path = conflict(operations[i], operations[j]);
        if (path === undefined) continue;
        const [a, b] = operations[i].key < operations[j].key ? [operations[i], operations[j]] : [operations[j], operations[i]];
        const key = `${a.key}\n${b.key}`;
        let pair = this.#pairs.get(key);
        if (pair === undefined) this.#pairs.set(key, pair = { path, first: a, second: b, orders: [undefined, undefined] });
        if (a.done !== b.done) pair.orders[a.done < b.done ? 0 : 1] ??= schedule;
      }
    }
  }

  // Those whose both orders were seen; the same two places are told of once.
  list() {
    const found = new Map();
    for (const { path, first, second, orders } of this.#pairs.values()) {
      if (orders.includes(undefined)) continue;
      const key = `${path}\n${first.label}${first.place}\n${second.label}${second.place}`;
      if (!found.has(key)) found.set(key, { path, first, second, orders });
    }
    return [...found.values()];
  }
}

// From the operation back to the main script.
function chainOf(operation, story) {
  const chain = [];
  for (let at = operation.cause; at !== null && at !== undefined; at = at.cause) {
    chain.push(at.isOther ? story.name({ id: 0, label: at.label === 'timer' ? 'a timer' : at.label, fd: -1 }, new Map()) :
      nameOf(at, story));
  }
  return [...chain, 'the main script'];
}

function nameOf(operation, story) {
  return story.name({ id: 1, label: operation.label, fd: -1 }, new Map([[1, operation]]));
}

function describeRace({ path, first, second, orders }) {
  const story = new Story('', '$TMPDIR', process.cwd());
  const tell = (operation) => ({
    operation: nameOf(operation, story), writes: operation.writes, chain: chainOf(operation, story),
  });
  return { path, operations: [tell(first), tell(second)], schedules: orders };
}

function printRaces(races, result, settings) {
  const out = [`${plural(races.length, 'race')} in ${plural(result.schedules, 'schedule')}.`];
  if (races.length > 0) {
    out.push('These touch the same, at least one of them changes it, and nothing makes one wait for the other.');
  }
  races.forEach(({ path, operations, schedules }, i) => {
    out.push('', `${i + 1}. ${path}`);
    operations.forEach(({ operation, writes, chain }, n) => {
      out.push(`   ${operation}${writes ? ', which changes it' : ''}`);
      out.push(`      asked for by ${chain.join(', asked for by ')}`);
      out.push(`      first in: ${replayLine(schedules[n], settings)}`);
    });
  });
  process.stdout.write(`${out.join('\n')}\n`);
}

module.exports = { Races, describeRace, printRaces };
