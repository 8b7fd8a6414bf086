// The module has names to import, and is the same by every road.
import { createRequire } from 'node:module';
import fs, { constants, createReadStream, promises, ReadStream } from 'fs';
import fsp, { open, readFile } from 'node:fs/promises';

console.log(promises === fsp, fs.promises === fsp, fsp.open === open, fsp.constants === constants);
console.log(createRequire(import.meta.url)('fs/promises') === fsp, typeof ReadStream, typeof createReadStream);
console.log((await readFile(new URL(import.meta.url), 'utf8')).startsWith('// The module'));
const handle = await open(new URL(import.meta.url));
console.log((await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString());
await handle.close();
let lines = 0;
for await (const line of (await open(new URL(import.meta.url))).readLines()) lines += line.includes('import') ? 1 : 0;
console.log(lines);
console.log(Object.keys(fsp).join());
