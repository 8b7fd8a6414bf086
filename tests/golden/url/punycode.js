'use strict';
const punycode = require('node:punycode');

console.log(Object.keys(punycode).sort());
for (const text of ['', 'mañana', 'bücher', '中文', 'München-Ost', '☃-⌘', 'abc', '\u{1f600}x', 'ليهمابتكلموشعربي؟']) {
  const encoded = punycode.encode(text);
  console.log(JSON.stringify([encoded, punycode.decode(encoded) === text]));
}
for (const text of ['mañana.com', 'user@bücher.de', 'example.com', '日本。co。jp', 'xn--maana-pta.com']) {
  console.log(punycode.toASCII(text), punycode.toUnicode(punycode.toASCII(text)));
}
console.log(punycode.ucs2.decode('a\u{1f600}\ud800'), punycode.ucs2.encode([97, 0x1f600]));
for (const what of [() => punycode.decode('ls8h=='), () => punycode.decode('\x80'), () => punycode.encode(5), () => punycode.toUnicode(undefined)]) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.message); }
}
