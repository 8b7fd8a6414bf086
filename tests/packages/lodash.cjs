'use strict';
const _ = require('lodash');
console.log(_.chunk(_.range(7), 3), _.groupBy(['one', 'two', 'three'], 'length'), _.camelCase('Foo Bar-baz'));
console.log(_.merge({ a: { b: 1 } }, { a: { c: [1, { d: 2 }] } }), _.get({ a: [{ b: { c: 3 } }] }, 'a[0].b.c'));
console.log(_.template('Hello <%= name %>!')({ name: 'world' }),
  _.isEqual(new Map([[1, { a: 2 }]]), new Map([[1, { a: 2 }]])));
console.log(_.cloneDeep({ date: new Date(0), set: new Set([1]), buffer: Buffer.from('x'),
  typed: new Uint8Array([1, 2]) }));
const calls = [];
const late = _.debounce((x) => { calls.push(x); console.log('debounced', calls); }, 5);
late(1); late(2); late(3);
const throttled = _.throttle(() => calls.push('t'), 1000, { trailing: false });
throttled(); throttled();
console.log(calls);
