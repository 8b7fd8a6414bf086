'use strict';
const fs = require('fs-extra');
const os = require('os');
const path = require('path');

(async () => {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'fs-extra-'));
  const at = (...names) => path.join(root, ...names);
  try {
    await fs.outputFile(at('a/b/c.txt'), 'hello');
    await fs.outputJson(at('a/x.json'), { n: [1, 2] }, { spaces: 2 });
    console.log(await fs.readJson(at('a/x.json')), fs.readFileSync(at('a/x.json'), 'utf8').length);
    await fs.copy(at('a'), at('copy'), { filter: (name) => !name.endsWith('.json') });
    console.log(await fs.pathExists(at('copy/b/c.txt')), await fs.pathExists(at('copy/x.json')));
    await fs.move(at('copy'), at('moved/deep'));
    await fs.ensureLink(at('a/b/c.txt'), at('links/hard'));
    await fs.ensureSymlink(at('a'), at('links/soft'));
    console.log((await fs.readdir(at())).sort(), (await fs.lstat(at('links/soft'))).isSymbolicLink(),
      (await fs.stat(at('links/hard'))).nlink);
    await fs.emptyDir(at('moved'));
    console.log(await fs.readdir(at('moved')));
    fs.copySync(at('a'), at('sync'));
    fs.removeSync(at('sync/b'));
    console.log(fs.readdirSync(at('sync')));
    await fs.copy(at('nothing'), at('x')).catch((error) => console.log(error.code, error.syscall));
    fs.readFile(at('a/b/c.txt'), 'utf8', (error, text) => {
      console.log('callback', error, text);
      fs.remove(root, (failed) => console.log('removed', failed ?? null, fs.existsSync(root)));
    });
  } catch (error) {
    console.log(error);
    fs.removeSync(root);
  }
})();
