'use strict';
// rm() in its three forms: files, trees, links, what is not there, and wrong arguments.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

function plant() {
  fs.mkdirSync('tree/b/c', { recursive: true });
  for (let i = 0; i < 50; i++) fs.writeFileSync(`tree/b/c/${i}`, '');
  fs.writeFileSync('tree/x', '');
  fs.writeFileSync('kept', 'kept');
  fs.symlinkSync('../kept', 'tree/b/link');
  fs.symlinkSync('..', 'tree/b/up');
  fs.symlinkSync('nowhere', 'tree/dangling');
  let deep = 'tree/deep';
  for (let i = 0; i < 200; i++) deep += '/d';
  fs.mkdirSync(deep, { recursive: true });
}

const forms = {
  rmSync: async (...args) => fs.rmSync(...args),
  rm: (...args) => new Promise((resolve, reject) => {
    fs.rm(...args, (error) => (error ? reject(error) : resolve()));
  }),
  'promises.rm': (...args) => fs.promises.rm(...args),
};

(async () => {
  for (const [name, rm] of Object.entries(forms)) {
    const attempt = async (...args) => {
      try {
        await rm(...args);
        console.log(name, JSON.stringify(args), 'is fine');
      } catch (error) {
        console.log(name, JSON.stringify(args), error.name, error.code, error.message, error.errno, error.syscall, error.path);
        if (error.info) console.log(error.info);
      }
    };
    plant();
    await attempt('tree');
    await attempt('tree', { force: true });
    await attempt('tree/x');
    await attempt('tree/x');
    await attempt('tree/x', { force: true });
    await attempt('tree/dangling');
    await attempt('tree/b/up');
    await attempt('tree/b/link', { recursive: true });
    await attempt('tree/b', { recursive: true });
    await attempt('tree', { recursive: true, force: true, maxRetries: 2, retryDelay: 1 });
    console.log(fs.readdirSync('.'));
    await attempt('tree', { recursive: true });
    await attempt('tree', { recursive: true, force: true });
    await attempt('kept/below', { force: true });
    await attempt(Buffer.from('kept'));
    await attempt();
    await attempt(3);
    await attempt('x\0');
    await attempt('kept', 3);
    await attempt('kept', { recursive: 1 });
    await attempt('kept', { force: 1 });
    await attempt('kept', { maxRetries: -1 });
    await attempt('kept', { maxRetries: 'x' });
    await attempt('kept', { retryDelay: -1 });
    await attempt('kept', { retryDelay: 1.5 });
  }
  // The callback never runs before the call returns.
  plant();
  fs.rm('tree', { recursive: true }, (error) => {
    console.log('called back', error);
    fs.rmSync(folder, { recursive: true });
  });
  console.log('returned');
})();
