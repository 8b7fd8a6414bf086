// Vite's dev server: transformed modules, an update after a change, and a build. Rollup is its WebAssembly variant.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build, createServer } from 'vite';

mkdirSync('site/src', { recursive: true });
writeFileSync('site/index.html',
  '<!doctype html><title>site</title><script type="module" src="/src/main.ts"></script>');
writeFileSync('site/src/main.ts', `import { answer } from './answer.ts';
import './style.css';
import data from './data.json';
if (import.meta.hot) import.meta.hot.accept('./answer.ts', () => {});
document.title = \`\${answer as number} \${data.name} \${import.meta.env.MODE}\`;`);
const answer = (n) => writeFileSync('site/src/answer.ts',
  `interface Unused { a: string }\nexport const answer: number = ${n};\nexport const unused = 'never used';\n`);
answer(42);
writeFileSync('site/src/style.css', 'p { color: red; }\n');
writeFileSync('site/src/data.json', '{"name": "data", "more": [1, 2]}\n');

const common = { root: 'site', configFile: false, logLevel: 'silent', cacheDir: 'cache' };
const server = await createServer({ ...common, server: { port: 0, host: '127.0.0.1' } });
await server.listen();
const base = `http://127.0.0.1:${server.httpServer.address().port}`;
async function get(path, accept = '*/*') {
  const response = await fetch(base + path, { headers: { accept } });
  const text = await response.text();
  console.log(path, response.status, response.headers.get('content-type'));
  return text;
}
console.log((await get('/', 'text/html')).includes('/@vite/client'));
for (const name of ['main.ts', 'answer.ts', 'data.json?import']) {
  // Without source maps, which contain the paths of this machine.
  console.log((await get(`/src/${name}`)).replace(/\n\/\/# sourceMappingURL.*/, ''));
}
console.log((await get('/src/style.css')).includes('color: red'));
console.log((await get('/src/missing.ts')).length > 0);
const token = /const wsToken = "([^"]+)"/.exec(await get('/@vite/client'))[1];
const socket = new WebSocket(`${base.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
const messages = [];
let heard = () => {};
socket.onmessage = ({ data }) => {
  messages.push(JSON.parse(data));
  heard();
};
const message = async (type) => {
  while (!messages.some((seen) => seen.type === type)) await new Promise((resolve) => { heard = resolve; });
  return messages.find((seen) => seen.type === type);
};
await message('connected');
answer(43);
console.log((await message('update')).updates.map(({ type, path, acceptedPath }) => [type, path, acceptedPath]));
console.log((await get('/src/answer.ts')).split('\n')[0]);
socket.close();
await server.close();

const { output } = await build({ ...common, build: { write: false, modulePreload: false } });
for (const { type, fileName, code, source } of output) {
  console.log(type, fileName.replace(/-[\w-]{8}\./, '-HASH.'), String(code ?? source).replaceAll(/-[\w-]{8}\./g, '-HASH.'));
}
rmSync('site', { recursive: true });
