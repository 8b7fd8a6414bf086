'use strict';
// Promise.all and similar functions wait for several promises, and a trace shows only which one was the last. This file
// recognizes them by a pattern: at one place a promise is created, then one promise per element that waits for it, and
// the first one is settled in a reaction of one of these. Reactions that ran earlier contributed to the result; with
// Promise.race there are none.

class Joins {
  #spots = new Map(); // In the running step: place -> promises created there without a parent.
  #groups = new Map(); // By id of the resulting promise: ids of the promises that wait for its elements.
  #ran = new Map(); // Id of a promise -> the step of its reaction.

  beginStep(step) {
    this.#spots.clear();
    if (step.kind === 'microtask') this.#ran.set(step.id, step);
  }

  made(id, parent, place) {
    if (place === 0) return;
    const made = this.#spots.get(place);
    if (parent === 0) {
      if (made === undefined) this.#spots.set(place, [id]);
      else made.push(id);
      return;
    }
    if (made === undefined) return;
    // Either a promise made of an element that was none, or the promise that waits for the result.
    if (made[made.length - 1] === parent) made.pop();
    if (made.length === 0) return;
    const result = made[made.length - 1];
    const group = this.#groups.get(result);
    if (group === undefined) this.#groups.set(result, [id]);
    else group.push(id);
  }

  settled(id, step) {
    const group = this.#groups.get(id);
    if (group === undefined || step.kind !== 'microtask' || !group.includes(step.id)) return;
    this.#groups.delete(id);
    for (const element of group) {
      const ran = this.#ran.get(element);
      if (ran !== undefined) step.follow(ran);
    }
  }
}

module.exports = { Joins };
