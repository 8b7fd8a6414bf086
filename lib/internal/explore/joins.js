'use strict';
// Promise.all and similar functions wait for several promises, and a trace shows only which one was the last. They are
// known by their shape: at one place a promise is made, then one each that waits for an element; and it is settled in
// the reaction to one of those. Reactions that ran before had a part in it, unless it is Promise.race, where there are
// none.

class Joins {
  #spots = new Map(); // In the step that runs: place -> promises that nothing is waited for, made there.
  #groups = new Map(); // By id of the promise that is settled in the end: the ids of those that wait for its elements.
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
    // An element that was no promise became one; or this is who waits for the result.
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
