'use strict';
// Selects the schedules to run and their order. A schedule is written as its deviations from the default order:
// '0t1/2.7c2/3' picks 1 of 2 at the first decision and 2 of 3 at the eighth.

// All schedules, those with the fewest deviations first. A run follows its schedule and then the default order; each
// later decision with several options gives schedules with one more deviation. No schedule is run twice.
class SystematicSearch {
  #levels = [['-']]; // By number of deviations: schedules still to be run.
  #froms = [[0]]; // For each: the first decision after its last deviation.
  #seen = new Map(); // State -> the smallest number of deviations that reaches it.
  #under = 0; // Runs in progress.
  merged = 0;
  isCut = false; // Legal schedules were left out.

  constructor({ bound = Infinity, reduces = true }) {
    this.bound = bound;
    this.reduces = reduces;
  }

  // null if there is none now; runs in progress may add more.
  next() {
    for (let deviations = 0; deviations < this.#levels.length; deviations++) {
      if (this.#levels[deviations].length === 0) continue;
      this.#under++;
      return { schedule: this.#levels[deviations].pop(), from: this.#froms[deviations].pop(), deviations };
    }
    return null;
  }

  get isDone() { return this.#under === 0 && this.#levels.every((level) => level.length === 0); }

  #isKnown(state, deviations) {
    if (!this.reduces) return false;
    const before = this.#seen.get(state);
    if (before !== undefined && before <= deviations) return true;
    this.#seen.set(state, deviations);
    return false;
  }

  done({ schedule, from, deviations }, run) {
    this.#under--;
    if (run.isCut) this.isCut = true;
    const start = schedule === '-' ? '' : `${schedule}.`;
    const level = this.#levels[deviations + 1] ??= [];
    const froms = this.#froms[deviations + 1] ??= [];
    for (let i = from; i < run.decisions.length; i++) {
      const { state, options, letter } = run.decisions[i];
      // Another run reached the same state: its continuations are explored there.
      if (this.#isKnown(state, deviations)) {
        this.merged++;
        return;
      }
      if (deviations >= this.bound) {
        this.isCut = true;
        return;
      }
      for (let pick = options - 1; pick > 0; pick--) {
        level.push(`${start}${i}${letter}${pick}/${options}`);
        froms.push(i + 1);
      }
    }
  }
}

// `runs` random schedules: each decision is chosen at random.
class RandomSearch {
  #next = 0;
  #under = 0;
  merged = 0;
  isCut = true;

  constructor({ runs, seed }) {
    this.runs = runs;
    this.seed = seed;
  }

  next() {
    if (this.#next >= this.runs) return null;
    this.#under++;
    // Spreads consecutive seeds: 2^64 / the golden ratio.
    const seed = (BigInt(this.seed) + BigInt(this.#next++) * 0x9E3779B97F4A7C15n) & 0xFFFFFFFFFFFFFFFFn;
    return { schedule: '-', seed: `${seed}` };
  }

  get isDone() { return this.#under === 0 && this.#next >= this.runs; }

  done() { this.#under--; }
}

// The deviations of a completed run.
function scheduleOf(decisions) {
  const parts = [];
  for (let i = 0; i < decisions.length; i++) {
    const { picked, options, letter } = decisions[i];
    if (picked !== 0) parts.push(`${i}${letter}${picked}/${options}`);
  }
  return parts.length === 0 ? '-' : parts.join('.');
}

function countDeviations(schedule) {
  return schedule === '-' ? 0 : schedule.split('.').length;
}

module.exports = { SystematicSearch, RandomSearch, scheduleOf, countDeviations };
