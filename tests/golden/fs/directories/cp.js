'use strict';
// cp() in its three forms: trees, links, options.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
const here = process.cwd();

const forms = {
  cpSync: async (...args) => fs.cpSync(...args),
  cp: (...args) => new Promise((resolve, reject) => {
    fs.cp(...args, (error) => (error ? reject(error) : resolve()));
  }),
  'promises.cp': (...args) => fs.promises.cp(...args),
};

function show(path) {
  const list = fs.readdirSync(path, { recursive: true }).sort();
  console.log(list.map((name) => {
    const stats = fs.lstatSync(`${path}/${name}`);
    if (stats.isSymbolicLink()) return `${name} -> ${fs.readlinkSync(`${path}/${name}`).replace(here, '.')}`;
    return stats.isDirectory() ? `${name}/` : `${name} ${(stats.mode & 0o777).toString(8)} ${fs.readFileSync(`${path}/${name}`, 'utf8')}`;
  }));
}

(async () => {
  for (const [name, cp] of Object.entries(forms)) {
    console.log(`-- ${name}`);
    fs.mkdirSync('a/b', { recursive: true });
    fs.writeFileSync('a/x', '1');
    fs.writeFileSync('a/b/y', '2');
    fs.chmodSync('a/b/y', 0o600);
    fs.symlinkSync('x', 'a/link');
    fs.symlinkSync(`${here}/a/b`, 'a/absolute');
    fs.writeFileSync('f', '3');
    fs.chmodSync('f', 0o755);
    fs.utimesSync('f', 1000, 2000);

    await cp('a', 'plain', { recursive: true });
    show('plain');
    await cp('a', 'verbatim', { recursive: true, verbatimSymlinks: true });
    show('verbatim');
    await cp('a', 'followed', { recursive: true, dereference: true });
    show('followed');
    await cp('f', 'g');
    await cp('f', 'new/place/f');
    show('new');
    console.log(fs.statSync('g').mtimeMs === 2000000);
    await cp('f', 'h', { preserveTimestamps: true });
    console.log(fs.statSync('h').mtimeMs, (fs.statSync('h').mode & 0o777).toString(8));
    await cp('f', 'a/x', { force: false });
    console.log(fs.readFileSync('a/x', 'utf8'));
    await cp('f', 'a/x');
    console.log(fs.readFileSync('a/x', 'utf8'));
    await cp('a', 'plain', { recursive: true }).catch((error) => console.log(error.code));
    const seen = [];
    await cp('a', 'filtered', {
      recursive: true,
      filter(from, to) {
        seen.push(`${from} ${to}`);
        return !from.endsWith('b');
      },
    });
    console.log(seen.sort());
    show('filtered');
    await cp('f', 'skipped', { filter: () => false });
    console.log(fs.existsSync('skipped'));
    await cp(require('url').pathToFileURL('f'), 'from-url');
    console.log(fs.existsSync('from-url'));
    for (const entry of fs.readdirSync('.')) fs.rmSync(entry, { recursive: true });
  }
  fs.writeFileSync('f', '');
  fs.cp('f', 'g', (...args) => {
    console.log('called back', args);
    fs.rmSync(folder, { recursive: true });
  });
  console.log('returned');
})();
