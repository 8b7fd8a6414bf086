import through2 from 'through2';
import split2 from 'split2';
import pLimit from 'p-limit';
import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const upper = [];
await pipeline(Readable.from(['one\ntw', 'o\nthree']), split2(),
  through2.obj((line, _, done) => done(null, line.toUpperCase())), async (lines) => {
    for await (const line of lines) upper.push(line);
  });
console.log(upper);
const rows = [];
for await (const row of Readable.from(['a,b\n1,', '2\n3,4\n']).pipe(parse({ columns: true }))) rows.push(row);
console.log(rows);
let running = 0;
let most = 0;
const limit = pLimit(3);
const results = await Promise.all(Array.from({ length: 8 }, (_, i) => limit(async () => {
  most = Math.max(most, ++running);
  await new Promise((resolve) => setTimeout(resolve, 2));
  running--;
  return i;
})));
console.log(results, most);
