// Circles, depth, size.
const { inspect } = require('util');

const a = { x: {} };
a.self = a;
a.x.y = a;
a.x.z = a.x;
const list = [1];
list.push(list, { list });
const left = {};
const right = { left };
left.right = right;
for (const option of [undefined, { colors: true }, { compact: true }, { compact: false }, { depth: 0 }]) {
  console.log(inspect(a, option), inspect(list, option), inspect({ left, right, all: [left, right] }, option));
}

const deep = {};
let current = deep;
for (let i = 0; i < 30000; i++) current = current.a = {};
const text = inspect(deep, { depth: Infinity });
console.log(/\[Object: Inspection interrupted prematurely\. Maximum call stack size exceeded\.\]/.test(text), text.startsWith('{\n  a: {\n    a: {'));

const wide = {};
for (let i = 0; i < 3000; i++) wide[`key${i}`] = i;
console.log(inspect(wide).length, inspect(Object.values(wide)).length, inspect(Object.values(wide), { maxArrayLength: null }).length);
