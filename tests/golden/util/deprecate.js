// deprecate warns once per function and once per code; debuglog is silent unless asked; inherits links prototypes.
const util = require('util');

process.on('warning', (warning) => console.log('warning:', warning.name, warning.code, warning.message));
const first = util.deprecate(function first(a) { return [this?.x, a]; }, 'first is old', 'DEP_X');
const second = util.deprecate(() => 2, 'second is old', 'DEP_X');
const third = util.deprecate(() => 3, 'third is old');
console.log(first.call({ x: 1 }, 2), first(3), second(), third(), third());
class Old { constructor(a) { this.a = a; } static s() { return 's'; } m() { return this.a; } }
const Wrapped = util.deprecate(Old, 'Old is old', 'DEP_Y');
const made = new Wrapped(5);
console.log(made instanceof Old, made instanceof Wrapped, made.m(), Wrapped.s(), Wrapped.prototype === Old.prototype);

const log = util.debuglog('golden', (fn) => console.log('ready', typeof fn));
console.log(log.enabled, log('nothing'), log('nothing %d', 1, 2, 3), util.debug === util.debuglog, log.name);

function Parent() { this.parent = true; }
Parent.prototype.hello = function() { return `hello ${this.name}`; };
function Child(name) { Parent.call(this); this.name = name; }
util.inherits(Child, Parent);
const child = new Child('c');
console.log(child.hello(), child instanceof Parent, Child.super_ === Parent, child, Object.getOwnPropertyDescriptor(Child, 'super_'));
console.log(util._extend({ a: 1, b: 2 }, { b: 3, c: 4 }), util.types.isDate(new Date()), util.TextEncoder === TextEncoder, util.TextDecoder === TextDecoder);
