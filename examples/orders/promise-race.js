// Two jobs on the pool: either may win. Two outcomes.
const { promisify } = require('util');
const pbkdf2 = promisify(require('crypto').pbkdf2);

const job = (name) => pbkdf2(name, 'salt', 1, 8, 'sha256').then(() => name);
Promise.race([job('one'), job('two')]).then((winner) => console.log(winner));
