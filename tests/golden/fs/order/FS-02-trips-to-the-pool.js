'use strict';
// Operations of several steps: every step is a job at the end of the pool's queue. With a pool of one, as many callbacks of
// a chain of stat() come before that of the operation as it has steps before its last.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

const { promises } = fs;
// In the root of the temporary folder: the steps of realpath() depend on how deep it is, and are counted from there.
const root = fs.realpathSync(os.tmpdir());
const dir = fs.mkdtempSync(path.join(root, 'fs-02-'));
const depth = root.split('/').filter((part) => part !== '').length + 1;
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const at = (name) => path.join(dir, name);
fs.writeFileSync(at('small'), 'x'.repeat(1000));
fs.writeFileSync(at('empty'), '');
fs.writeFileSync(at('chunks'), Buffer.alloc(150000));
fs.writeFileSync(at('written'), 'x');
fs.symlinkSync(at('small'), at('link'));
fs.symlinkSync(at('few'), at('to-few'));
function fill(name, count) {
  fs.mkdirSync(at(name));
  for (let i = 0; i < count; i++) fs.writeFileSync(at(`${name}/${i}`), 'x');
}
function tree(name) {
  fill(name, 2);
  fill(`${name}/one`, 1);
  fill(`${name}/two`, 3);
  fs.mkdirSync(at(`${name}/two/none`));
}
fill('few', 3);
fill('many', 70);
for (let i = 0; i < 6; i++) tree(`tree${i}`);
const fd = fs.openSync(at('small'), 'r');
process.on('exit', () => fs.closeSync(fd));

function readToEnd(directory, done) {
  directory.read((error, entry) => (entry === null ? done(directory) : readToEnd(directory, done)));
}
const close = (directory) => setImmediate(() => directory.closeSync());

const operations = {
  'realpath': (done) => fs.realpath(at('small'), done),
  'realpath of a link': (done) => fs.realpath(at('link'), done),
  'realpath through a link': (done) => fs.realpath(at('to-few/1'), done),
  'realpath of nothing': (done) => fs.realpath(at('none/x'), done),
  'realpath.native': (done) => fs.realpath.native(at('link'), done),
  'promises.realpath': (done) => promises.realpath(at('link')).then(done),
  'mkdir, recursive, 1 missing': (done) => fs.mkdir(at('made1'), { recursive: true }, done),
  'mkdir, recursive, 3 missing': (done) => fs.mkdir(at('made2/a/b'), { recursive: true }, done),
  'mkdir, recursive, none missing': (done) => fs.mkdir(at('few'), { recursive: true }, done),
  'mkdir, recursive, a file': (done) => fs.mkdir(at('small'), { recursive: true }, done),
  'mkdir, recursive, below a file': (done) => fs.mkdir(at('small/a/b'), { recursive: true }, done),
  'promises.mkdir, recursive': (done) => promises.mkdir(at('made3/a/b/c'), { recursive: true }).then(done),
  'rm of a file': (done) => fs.rm(at('tree0/0'), done),
  'rm of a directory': (done) => fs.rm(at('tree0'), done),
  'rm of nothing': (done) => fs.rm(at('none'), done),
  'rm of nothing, force': (done) => fs.rm(at('none'), { force: true }, done),
  'rm, recursive, of a file': (done) => fs.rm(at('tree0/1'), { recursive: true }, done),
  'rm, recursive, of an empty directory': (done) => fs.rm(at('tree0/two/none'), { recursive: true }, done),
  'rm, recursive': (done) => fs.rm(at('tree1'), { recursive: true }, done),
  'promises.rm, recursive': (done) => promises.rm(at('tree2'), { recursive: true }).then(done),
  'cp of a file': (done) => fs.cp(at('small'), at('copy1'), done),
  'cp over a file': (done) => fs.cp(at('small'), at('copy1'), done),
  'cp over a file, no force': (done) => fs.cp(at('small'), at('copy1'), { force: false }, done),
  'cp with times': (done) => fs.cp(at('small'), at('copy1'), { preserveTimestamps: true }, done),
  'cp of a link': (done) => fs.cp(at('link'), at('copy2'), done),
  'cp into a new directory': (done) => fs.cp(at('small'), at('new/a/copy'), done),
  'cp of a directory': (done) => fs.cp(at('tree3'), at('copy3'), done),
  'cp, recursive, over another': (done) => fs.cp(at('tree3'), at('tree4'), { recursive: true }, done),
  'promises.cp': (done) => promises.cp(at('small'), at('copy4')).then(done),
  'opendir': (done) => fs.opendir(at('few'), (error, directory) => done(close(directory))),
  'opendir, read': (done) => fs.opendir(at('few'), (error, directory) => directory.read(() => done(close(directory)))),
  'opendir, read all': (done) => {
    fs.opendir(at('few'), (error, directory) => readToEnd(directory, () => done(close(directory))));
  },
  'opendir, read all, one by one': (done) => {
    fs.opendir(at('few'), { bufferSize: 1 }, (error, directory) => readToEnd(directory, () => done(close(directory))));
  },
  'opendir, read 70': (done) => {
    fs.opendir(at('many'), (error, directory) => readToEnd(directory, () => done(close(directory))));
  },
  'opendir, close': (done) => fs.opendir(at('few'), (error, directory) => directory.close(done)),
  'for await of a directory': async (done) => {
    for await (const entry of await promises.opendir(at('few'))) void entry;
    done();
  },
  'for await, left': async (done) => {
    for await (const entry of await promises.opendir(at('few'))) if (entry) break;
    done();
  },
  'for await, recursive': async (done) => {
    for await (const entry of await promises.opendir(at('tree5'), { recursive: true })) void entry;
    done();
  },
  'readdir, types': (done) => fs.readdir(at('many'), { withFileTypes: true }, done),
  'truncate': (done) => fs.truncate(at('written'), 1, done),
  'promises.truncate': (done) => promises.truncate(at('written'), 1).then(done),
  'readFile of a descriptor': (done) => fs.readFile(fd, done),
  'writeFile with flush': (done) => fs.writeFile(at('written'), 'x', { flush: true }, done),
  'promises.writeFile with flush': (done) => promises.writeFile(at('written'), 'x', { flush: true }).then(done),
  'promises.writeFile in parts': (done) => promises.writeFile(at('written'), Buffer.alloc(1200000)).then(done),
  'promises.writeFile of an iterable': (done) => promises.writeFile(at('written'), ['x', 'y', 'z']).then(done),
  'FileHandle, readFile': (done) => promises.open(at('small')).then(async (handle) => {
    await handle.readFile();
    done();
    await handle.close();
  }),
  'FileHandle, close behind a write': (done) => promises.open(at('written'), 'w').then((handle) => {
    handle.write('x');
    handle.close().then(done);
  }),
  'FileHandle, readLines': async (done) => {
    const handle = await promises.open(at('small'));
    for await (const line of handle.readLines()) void line;
    done();
  },
  'FileHandle, readableWebStream': async (done) => {
    const handle = await promises.open(at('small'));
    for await (const chunk of handle.readableWebStream()) void chunk;
    done();
    await handle.close();
  },
  'read stream, open': (done) => fs.createReadStream(at('small')).on('open', done).resume(),
  'read stream, end': (done) => fs.createReadStream(at('small')).on('end', done).resume(),
  'read stream, close': (done) => fs.createReadStream(at('small')).on('close', done).resume(),
  'read stream, empty': (done) => fs.createReadStream(at('empty')).on('end', done).resume(),
  'read stream, a part': (done) => fs.createReadStream(at('small'), { start: 1, end: 9 }).on('end', done).resume(),
  'read stream, 3 chunks': (done) => fs.createReadStream(at('chunks')).on('end', done).resume(),
  'read stream, destroyed': (done) => fs.createReadStream(at('small')).on('close', done).destroy(),
  'read stream of a FileHandle': async (done) => {
    const handle = await promises.open(at('chunks'));
    handle.createReadStream().on('close', done).resume();
  },
  'write stream, open': (done) => fs.createWriteStream(at('written')).on('open', done).end('x'),
  'write stream, finish': (done) => fs.createWriteStream(at('written')).on('finish', done).end('x'),
  'write stream, close': (done) => fs.createWriteStream(at('written')).on('close', done).end('x'),
  'write stream, flush': (done) => fs.createWriteStream(at('written'), { flush: true }).on('close', done).end('x'),
  'write stream, many writes': (done) => {
    const stream = fs.createWriteStream(at('written')).on('close', done);
    for (let i = 0; i < 3000; i++) stream.write('x');
    stream.end();
  },
  'pipe': (done) => fs.createReadStream(at('chunks')).pipe(fs.createWriteStream(at('written'))).on('close', done),
};

const names = Object.keys(operations);
function next() {
  if (names.length === 0) return;
  const name = names.shift();
  let trips = name.startsWith('realpath') && name !== 'realpath.native' ? -depth : 0;
  let isDone = false;
  operations[name](() => {
    isDone = true;
    console.log(`${name}: ${trips}`);
  });
  (function chain() {
    fs.stat('/', () => {
      if (isDone) {
        // Gives the rest of the operation time to complete.
        setTimeout(next, 20);
        return;
      }
      trips++;
      chain();
    });
  })();
}
next();
