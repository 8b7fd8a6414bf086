'use strict';
process.on('warning', (warning) => console.log(warning.name, JSON.stringify(warning.message)));
const delays = [0, -0, -1, 0.5, 0.999, 1, 1.999, 2.5, NaN, -Infinity, null, undefined, '', 'x', '7', '7.9', [], [3], {}, true, false,
  2147483646.5, 2147483647, 2147483648, 1e300, Infinity, { valueOf: () => 12 }];
for (const delay of delays) {
  const shown = typeof delay === 'string' ? JSON.stringify(delay) : Object.is(delay, -0) ? '-0' : String(delay);
  for (const set of [setTimeout, setInterval]) {
    const timer = set(() => {}, delay);
    console.log(set.name, shown, timer._idleTimeout, timer._repeat);
    clearTimeout(timer);
  }
}
for (const bad of [Symbol('delay'), 5n, { valueOf() { throw new Error('no number'); } }]) {
  try {
    clearTimeout(setTimeout(() => {}, bad));
    console.log('taken');
  } catch (error) {
    console.log(error.name, error.message);
  }
}
