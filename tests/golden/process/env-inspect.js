// The environment prints like the plain object that it looks like.
const { inspect, isDeepStrictEqual, format } = require('util');

for (const name of Object.keys(process.env)) delete process.env[name];
console.log(process.env, inspect(process.env), format('%s %o', process.env, 1));
process.env.B = 'two';
process.env.A = 1;
process.env["it's"] = 'quoted\nline';
console.log(process.env);
console.log(inspect({ env: process.env }, { depth: 0 }), inspect({ env: process.env }, { showProxy: true, sorted: true, colors: true }));
console.log(isDeepStrictEqual({ ...process.env }, { 'B': 'two', 'A': '1', "it's": 'quoted\nline' }), Object.prototype.toString.call(process.env));
console.table(process.env);
