'use strict';
// module.SourceMap decodes maps by hand.
const { SourceMap } = require('module');
const payload = {
  version: 3,
  file: 'out.js',
  sources: ['a.ts', 'b.ts'],
  sourcesContent: ['one', null],
  names: ['first', 'second'],
  mappings: 'AAAA,SAASA;;AACT,IAAM,CAAC,GAAG,CAAC,CAAC,C;ACAZC,U,gBAAgB;',
};
const map = new SourceMap(payload, { lineLengths: [10, 0, 20] });
console.log(map, map.payload, map.payload !== map.payload, map.lineLengths);
for (const place of [[0, 0], [0, 5], [0, 9], [1, 0], [2, 4], [2, 5], [2, 100], [3, 0], [3, 5], [3, 12], [3, 40], [100, 0], [-1, 0]]) {
  console.log(place, map.findEntry(...place), map.findOrigin(place[0] + 1, place[1] + 1));
}
const sections = new SourceMap({
  version: 3,
  sections: [
    { offset: { line: 0, column: 0 }, map: payload },
    { offset: { line: 10, column: 5 }, map: { ...payload, sources: ['c.ts', 'd.ts'] } },
  ],
});
for (const place of [[0, 0], [9, 0], [10, 5], [10, 14], [12, 4], [13, 0]]) console.log(place, sections.findEntry(...place));
console.log(new SourceMap({ version: 3, sources: [], names: [], mappings: '' }).findEntry(0, 0));
for (const value of [undefined, null, 1, 'x', () => {}]) {
  try {
    console.log(new SourceMap(value));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
try {
  SourceMap(payload);
} catch (error) {
  console.log(error.name, error.message);
}
