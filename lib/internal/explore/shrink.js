'use strict';
// A schedule with as few deviations as still lead to the same outcome.

// `isSame(schedule)`: true if a run under the schedule has that outcome. Leaves out smaller and smaller groups of
// deviations while the outcome stays the same (delta debugging).
async function shrink(schedule, isSame) {
  let parts = schedule === '-' ? [] : schedule.split('.');
  const join = (list) => (list.length === 0 ? '-' : list.join('.'));
  if (parts.length > 0 && await isSame('-')) return '-';
  for (let size = Math.ceil(parts.length / 2); parts.length > 1 && size >= 1;) {
    let isShorter = false;
    for (let at = 0; at < parts.length && parts.length > 1;) {
      const rest = [...parts.slice(0, at), ...parts.slice(at + size)];
      if (rest.length > 0 && rest.length < parts.length && await isSame(join(rest))) {
        parts = rest;
        isShorter = true;
      } else {
        at += size;
      }
    }
    if (!isShorter || size > parts.length) {
      if (size === 1) break;
      size = Math.max(1, Math.floor(size / 2));
    }
  }
  return join(parts);
}

module.exports = { shrink };
