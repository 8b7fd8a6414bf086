'use strict';
// generatePrime() and checkPrime(): results, options, and arguments that are wrong.
const { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync } = require('crypto');

function attempt(fn) {
  try {
    return console.log(fn());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

for (const options of [{}, { safe: true }, { add: 12n, rem: 11n }, { add: Buffer.from([5]) }, { add: 5n, safe: true }]) {
  const prime = generatePrimeSync(64, { ...options, bigint: true });
  const divisor = typeof options.add === 'bigint' ? options.add : 5n;
  console.log(checkPrimeSync(prime), prime.toString(2).length, options.add ? prime % divisor : '',
    options.safe ? checkPrimeSync((prime - 1n) / 2n) : '');
}
console.log(generatePrimeSync(3, { bigint: true }), generatePrimeSync(4, { add: 15n, rem: 13n, bigint: true }));
console.log(generatePrimeSync(20).byteLength, generatePrimeSync(20) instanceof ArrayBuffer);
for (const number of [0n, 1n, 2n, 3n, 4n, 2n ** 61n - 1n, 2n ** 67n - 1n]) {
  console.log(number, checkPrimeSync(number), checkPrimeSync(number, { checks: 3 }));
}

for (const size of ['8', {}, -1, 0, 1, 2 ** 31, 1.5]) attempt(() => generatePrimeSync(size));
for (const options of [
  null, 1, { safe: 1 }, { bigint: '' }, { add: 1 }, { rem: 'x' }, { add: -1n }, { rem: -1n }, { add: 2n ** 64n }, { add: 7n, rem: 7n },
]) {
  attempt(() => generatePrimeSync(64, options));
  attempt(() => generatePrime(64, options, () => {}));
}
attempt(() => generatePrimeSync(4, { safe: true }));
attempt(() => generatePrime(8));
attempt(() => generatePrime(8, {}));
for (const list of [[1], ['x'], [-1n], [2n, 1], [2n, { checks: 'x' }], [2n, { checks: -1 }], [2n, { checks: 2 ** 31 }], [2n, { checks: -0 }]]) {
  attempt(() => checkPrimeSync(...list));
  attempt(() => checkPrime(...list, () => {}));
}

generatePrime(64, { bigint: true }, (error, prime) => {
  console.log(error, checkPrimeSync(prime));
  checkPrime(prime, (failure, answer) => {
    console.log(failure, answer);
    generatePrime(4, { safe: true }, (later, none) => console.log(later.code, later.message, none));
  });
});
