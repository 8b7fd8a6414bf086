'use strict';
// Long strings in messages, with everything that JSON has to take care of: each arrives as JSON.stringify() would have it,
// and what a message does while it is written happens once.
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', (message) => process.send(message));
  return;
}

const mark = '\u0001';
const plain = 'x'.repeat(20000);
let gets = 0;
let conversions = 0;
const messages = {
  'a text': plain,
  'a short text': 'short',
  'an object': { text: plain },
  'quotes': { text: `${'x'.repeat(9000)}"\\"${'y'.repeat(9000)}\\` },
  'control characters': { text: '\0\b\t\n\v\f\r\x1b\x1f\x7f'.repeat(2000) },
  'latin1': { text: 'é\xff\x80a'.repeat(4000) },
  'two bytes': { text: '€\u2028日本'.repeat(4000) },
  'pairs': { text: '😀'.repeat(5000) },
  'halves of pairs': { text: '\ud800x\udc00\ud83d'.repeat(4000) },
  'a text of two bytes': '€'.repeat(5000),
  'several': { a: plain, b: 1, c: [plain, 'short', plain, null, { d: plain }], e: '' },
  'as names': { [plain]: 1, [`${plain}"`]: plain, '': plain },
  'what stands for them': { a: mark, b: plain, c: [mark, mark], d: `x"${mark}`, e: `${mark}"`, f: plain },
  'what stands for them as a name': { a: plain, [mark]: plain, b: mark },
  'a name with it': { [`x"${mark}`]: plain, [`"${mark}"`]: plain, b: mark },
  'not sent': { a: plain, b: undefined, c: () => {}, d: Symbol('s'), e: [undefined], f: plain },
  'boxes': { a: new String(plain), b: new Number(1), c: new Boolean(false), d: new String(mark), e: plain },
  'dates': { a: new Date(0), b: plain, c: new Date(NaN) },
  'conversions': { a: { toJSON() { conversions++; return plain; } }, b: { toJSON: () => undefined }, c: plain },
  'an array': [plain, 1, [plain], 'short'],
  'getters': { get a() { gets++; return plain; }, get b() { gets++; return 'short'; } },
  'joined': { text: plain + 'é"' + plain.slice(1) },
  'a part': { text: plain.slice(5, 15000) },
  'many small values': Array.from({ length: 5000 }, (_, i) => i),
  'a long one among many small values': { many: Array.from({ length: 5000 }, (_, i) => `n${i}`), text: plain },
};

function fails(what, message) {
  try {
    child.send(message);
    console.log(what, 'was sent');
  } catch (error) {
    console.log(what, '-', error.name, error.message);
  }
}

const child = fork(__filename, ['child']);
const names = Object.keys(messages);
let round = 0;
let next = 0;

// Several rounds: how a message is written may depend on those before it.
function sendNext() {
  if (next === names.length) {
    next = 0;
    if (++round === 3) return end();
  }
  child.send(messages[names[next]]);
}

child.on('message', (answer) => {
  const name = names[next++];
  const sent = JSON.stringify(messages[name]);
  const isSame = JSON.stringify(answer) === JSON.stringify(JSON.parse(sent));
  if (round === 0 || !isSame) console.log(name, sent.length, isSame);
  sendNext();
});

function end() {
  // Three times sent, three times compared.
  console.log('getters', gets, 'conversions', conversions);
  for (let i = 0; i < 2; i++) {
    // The text is outside the circle: V8 14 may write a circle until it has a gigabyte before it looks for one.
    const circle = [{}];
    circle[0].circle = circle;
    fails('a circle', { text: plain, inner: circle });
    fails('a BigInt', { text: plain, number: 1n });
    fails('a getter that throws', { text: plain, get a() { throw new Error('no'); } });
    fails('a conversion that throws', { text: plain, a: { toJSON() { throw new TypeError('never'); } } });
  }
  child.disconnect();
}

child.on('exit', (code) => console.log('exit', code));
sendNext();
