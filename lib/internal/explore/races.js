'use strict';
// Pairs of operations that touch the same file, at least one of them changing it, and that nothing orders:
// both orders occurred in runs, or no cause in the trace of one run orders them (docs/adr/tools/0033).
const { tryGetCwd } = require('internal/process/cwd');
const { Story } = require('internal/explore/explain');
const { TracedOperations, chainOfLog, nameOf, operationsOfLog } = require('internal/explore/touched');
const { replayLine, plural } = require('internal/explore/report');

// Operations on one file that are compared; a run may have thousands, and the others are left out.
const kMostPairs = 2_000_000;

function folderOf(path) {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

// True if two accesses conflict. Changing a name changes its folder, and renaming a folder affects everything in it.
function touchSame(one, other) {
  if (!one.writes && !other.writes) return false;
  if (one.path === other.path) return true;
  const [outer, inner] = one.path.length < other.path.length ? [one, other] : [other, one];
  if (!inner.path.startsWith(outer.path.endsWith('/') ? outer.path : `${outer.path}/`)) return false;
  return outer.writes || (inner.writes && folderOf(inner.path) === outer.path);
}

function conflict(a, b) {
  for (const one of a.touches) {
    for (const other of b.touches) {
      if (touchSame(one, other)) return one.path.length >= other.path.length ? one.path : other.path;
    }
  }
  return undefined;
}

function isChanging({ touches }) {
  return touches.some(({ writes }) => writes);
}

// The key by which a pair of places is reported only once.
function placesOf(path, first, second) {
  return [path, ...[`${first.about} ${first.place}`, `${second.about} ${second.place}`].sort()].join('\n');
}

function inOrder(a, b) {
  return a.key < b.key ? [a, b] : [b, a];
}

class Races {
  #pairs = new Map();
  #unordered = []; // Pairs of the traced run.
  #traced = null;
  isCut = false; // Part of the trace was not analysed.

  // Adds the operations from the log of a run.
  add(log, folder, schedule) {
    const operations = operationsOfLog(log, folder);
    for (let i = 0; i < operations.length; i++) {
      for (let j = 0; j < i; j++) {
        const path = conflict(operations[i], operations[j]);
        if (path === undefined) continue;
        const [a, b] = inOrder(operations[i], operations[j]);
        const key = `${a.key}\n${b.key}`;
        let pair = this.#pairs.get(key);
        if (pair === undefined) {
          this.#pairs.set(key, pair = { path, first: a, second: b, orders: [undefined, undefined] });
        }
        if (a.done !== b.done) pair.orders[a.done < b.done ? 0 : 1] ??= schedule;
      }
    }
  }

  // Adds the operations of a traced run in the default order.
  addTrace(causes, folder) {
    const traced = new TracedOperations(causes, folder);
    const { list } = traced;
    const found = new Map(); // By places. A pair with more changes wins: a removal reads before it changes.
    let left = kMostPairs;
    this.#traced = traced;
    this.isCut = causes.isCut;
    for (let i = 0; i < list.length && left > 0; i++) {
      for (let j = 0; j < i && left > 0; j++, left--) {
        const path = conflict(list[j], list[i]);
        if (path === undefined) continue;
        const places = placesOf(path, list[j], list[i]);
        const changes = isChanging(list[j]) + isChanging(list[i]);
        if (found.get(places)?.changes >= changes || traced.isOrdered(list[j], list[i])) continue;
        found.set(places, { path, first: list[j], second: list[i], changes });
      }
    }
    this.#unordered = [...found.values()];
    if (left === 0) this.isCut = true;
  }

  // Pairs that were seen in both orders, and pairs that no cause orders. `isComplete`: every order was tried, so a pair
  // that was seen in one order only is ordered by something that is not a cause, such as a counter.
  list(isComplete) {
    const found = new Map();
    const story = new Story('', '$TMPDIR', tryGetCwd());
    const seen = new Set();
    let ordered = 0;
    for (const { path, first, second, orders } of this.#pairs.values()) {
      if (orders.includes(undefined)) continue;
      const places = placesOf(path, first, second);
      seen.add(`${first.key}\n${second.key}`);
      const changes = isChanging(first) + isChanging(second);
      if (found.get(places)?.changes >= changes) continue;
      found.set(places, { changes, ...this.#describeRace(path, first, second, orders, true, story) });
    }
    for (const { path, first, second } of this.#unordered) {
      const key = inOrder(first, second).map((one) => one.key).join('\n');
      const places = placesOf(path, first, second);
      if (seen.has(key) || found.has(places)) {
        // A trace has more details about the causes.
        const race = found.get(places);
        if (race !== undefined) this.#retell(race, first, second, story);
      } else if (isComplete && this.#pairs.has(key)) {
        ordered++;
      } else {
        found.set(places, this.#describeRace(path, first, second, ['-', undefined], false, story));
      }
    }
    return { races: [...found.values()], ordered };
  }

  #describe(operation, story) {
    const chain = operation.traced === undefined ? chainOfLog(operation, story) :
      this.#traced.chainOf(operation, story);
    return { operation: nameOf(operation, story), writes: isChanging(operation), chain };
  }

  #describeRace(path, first, second, orders, isSeen, story) {
    return {
      path,
      operations: [this.#describe(first, story), this.#describe(second, story)],
      schedules: orders.map((schedule) => schedule ?? null),
      seenBothWays: isSeen,
      keys: [first.key, second.key],
    };
  }

  #retell(race, first, second, story) {
    for (const operation of [first, second]) {
      const at = race.keys.indexOf(operation.key);
      if (at >= 0) race.operations[at] = this.#describe(operation, story);
    }
  }
}

function toData({ races, ordered }) {
  return { races: races.map(({ keys, changes, ...race }) => race), ordered };
}

function headline(races, result) {
  const seen = races.filter((race) => race.seenBothWays).length;
  const how = races.length === 0 || seen === races.length ? '' :
    `, ${seen === 0 ? 'none' : seen} of them seen in both orders`;
  return `${plural(races.length, 'race')} in ${plural(result.schedules, 'schedule')}${how}.`;
}

function printRaces({ races, ordered }, result, isCut, settings) {
  const out = [headline(races, result)];
  if (races.length > 0) {
    out.push('Each pair touches the same file, at least one of them changes it, and neither waits for the other.');
  }
  if (ordered > 0) {
    out.push(`${plural(ordered, 'other pair')} had the same order in all of them, although no cause orders ` +
      `${ordered === 1 ? 'it' : 'them'}.`);
  }
  if (isCut) out.push('The run was too long to check all of its causes.');
  races.forEach(({ path, operations, schedules, seenBothWays }, i) => {
    out.push('', `${i + 1}. ${path}: ${seenBothWays ? 'seen in both orders' : 'not ordered by cause'}`);
    operations.forEach(({ operation, writes, chain }, n) => {
      out.push(`   ${operation}${writes ? ', which changes it' : ''}`);
      out.push(`      scheduled by ${chain.join(', scheduled by ')}`);
      if (schedules[n] !== null) out.push(`      first in: ${replayLine(schedules[n], settings)}`);
    });
  });
  process.stdout.write(`${out.join('\n')}\n`);
}

module.exports = { Races, printRaces, toData };
