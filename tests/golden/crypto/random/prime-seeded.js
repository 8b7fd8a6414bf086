'use strict';
// With a seed, primes follow from it.
const { generatePrime, generatePrimeSync } = require('crypto');
for (const options of [{}, { safe: true }, { add: 12n, rem: 11n }, { add: 5n, safe: true }]) {
  console.log(generatePrimeSync(64, { ...options, bigint: true }));
}
generatePrime(100, { bigint: true }, (error, prime) => console.log('first', prime));
generatePrime(20, { bigint: true }, (error, prime) => console.log('second', prime));
