// atob() and btoa(): what they take and what they refuse, and random texts.
'use strict';
const attempt = (run) => {
  try {
    return JSON.stringify(run());
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
for (const text of ['YQ==', 'YQ=', 'YQ', 'Y', '', '  YQ = = ', 'YQ===', '=', '==', '====', 'YW-_', 'YW+/', '\u0100', 'YQ==YQ==',
  'Y Q\t\n\f\r=\n=', 'YR==', '\v', 'YWI=', 'YW=I', 'abcd=', 'abcd==', '\u00ff', 'a'.repeat(101), 'YWJj'.repeat(20) + '\n']) {
  console.log(JSON.stringify(text), attempt(() => atob(text)));
}
for (const value of [null, 12, undefined, true, {}, [], Symbol('s'), 10n, { toString: () => 'YQ==' }]) {
  console.log(attempt(() => atob(value)), attempt(() => btoa(value)));
}
console.log(attempt(() => atob()), attempt(() => btoa()), attempt(() => btoa('\u0100')), attempt(() => btoa('\u00ff\u0000')));
let seed = 99;
const random = (limit) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % limit;
};
for (let i = 0; i < 300; i++) {
  let text = '';
  for (let k = random(9); k > 0; k--) text += ['a', 'b', '=', ' ', '*', '-', '\u0100'][random(random(2) ? 4 : 7)];
  console.log(JSON.stringify(text), attempt(() => atob(text)));
}
