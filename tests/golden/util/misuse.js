// Every function of util with what it does not expect.
const util = require('util');

function show(name, fn) {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
const odd = [undefined, null, 0, -1, 1.5, NaN, Infinity, '', 'x', true, [], {}, () => {}, 10n, Symbol('s'), 2 ** 53];
const oddNames = odd.map((value) => util.inspect(value));
function each(name, fn) {
  odd.forEach((value, i) => show(`${name}(${oddNames[i]})`, () => fn(value)));
}
each('promisify', (value) => typeof util.promisify(value));
each('callbackify', (value) => typeof util.callbackify(value));
each('deprecate code', (value) => typeof util.deprecate(() => {}, 'm', value));
each('inherits', (value) => util.inherits(value, function() {}));
each('inherits super', (value) => util.inherits(function() {}, value));
each('getSystemErrorName', (value) => util.getSystemErrorName(value));
each('stripVTControlCharacters', (value) => util.stripVTControlCharacters(value));
each('toUSVString', (value) => util.toUSVString(value));
each('styleText', (value) => util.styleText(value, 'x', { validateStream: false }));
each('styleText text', (value) => util.styleText('red', value, { validateStream: false }));
each('styleText list', (value) => util.styleText([value], 'x'));
each('styleText stream', (value) => util.styleText('red', 'x', { stream: value === undefined ? null : value }));
each('debuglog', (value) => (typeof value === 'symbol' ? 'skipped' : [typeof util.debuglog(value), util.debuglog(value).enabled]));
each('_extend', (value) => util._extend({ a: 1 }, value));
each('isDeepStrictEqual', (value) => util.isDeepStrictEqual(value, value));
each('inspect options', (value) => util.inspect({ a: { b: { c: { d: 1 } } } }, value));
each('inspect depth', (value) => util.inspect({ a: { b: { c: { d: 1 } } } }, { depth: value }));
each('inspect breakLength', (value) => util.inspect({ a: 'x'.repeat(20), b: 'y'.repeat(70) }, { breakLength: value }));
each('inspect compact', (value) => util.inspect({ a: { b: 'y'.repeat(70) } }, { compact: value }));
each('inspect getters', (value) => util.inspect({ get a() { return 1; } }, { getters: value }));
each('inspect showProxy', (value) => util.inspect(new Proxy({}, {}), { showProxy: value }));
show('getSystemErrorName', () => [util.getSystemErrorName(-2), util.getSystemErrorName(-99999), util.getSystemErrorName(-13)]);
show('getSystemErrorMap', () => [util.getSystemErrorMap().get(-2), util.getSystemErrorMap().get(-13), util.getSystemErrorMap() instanceof Map]);
show('toUSVString', () => [util.toUSVString('a\ud800b'), util.toUSVString('\udc00\ud800'), util.toUSVString('\ud83d\ude00')]);
show('styleText', () => JSON.stringify([util.styleText('red', 'x', { validateStream: false }), util.styleText(['red', 'bold'], 'x'), util.styleText('grey', '', { validateStream: false })]));
show('stripVTControlCharacters', () => JSON.stringify(['\x1b[31mred\x1b[39m', '\x1b]8;;http://x\x07link\x1b]8;;\x07', '\x9b1m', '\x1b[38;5;1mx', 'plain', '\x1b[2Kz', '\x1b]0;title\x1b\\q', '\x1b(B', '\x1b[?25l', '\x1b[1;2;3Hq\x1b[J'].map(util.stripVTControlCharacters)));
for (const name of ['isArray']) {
  console.log(name, [...odd, /x/, new Date(0), new Error('e'), Object.create(Error.prototype)].map((value) => (util[name](value) ? 1 : 0)).join(''));
}
// Errors of system calls begin their stack with the caller.
{
  const util = require('util');
  function maker(kind) {
    return kind === 0 ? util._errnoException(-2, 'open') : util._exceptionWithHostPort(-2, 'connect', '::', 80);
  }
  for (const kind of [0, 1]) console.log(/^ +at maker/.test(maker(kind).stack.split('\n')[1]));
}
