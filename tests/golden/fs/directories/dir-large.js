'use strict';
// fs.Dir: more entries than are read at a time, none twice and none left out, in every way to read them.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
const kFiles = 500;
for (let i = 0; i < kFiles; i++) fs.writeFileSync(`${folder}/${i}`, '');

function check(name, names) {
  console.log(name, names.length, new Set(names).size);
}

(async () => {
  for (const bufferSize of [1, 2, 31, 32, 33, 499, 500, 501, 5000]) {
    const options = { bufferSize };
    let names = [];
    let dir = fs.opendirSync(folder, options);
    for (let entry; (entry = dir.readSync()) !== null;) names.push(entry.name);
    dir.closeSync();
    check(`readSync ${bufferSize}`, names);

    names = [];
    for await (const entry of fs.opendirSync(folder, options)) names.push(entry.name);
    check(`for await ${bufferSize}`, names);

    names = [];
    for await (const entry of await fs.promises.opendir(folder, options)) names.push(entry.name);
    check(`promises ${bufferSize}`, names);

    names = [];
    await new Promise((resolve) => {
      fs.opendir(folder, options, (error, dir) => {
        (function next() {
          dir.read((error, entry) => {
            if (entry === null) {
              dir.close(resolve);
              return;
            }
            names.push(entry.name);
            next();
          });
        })();
      });
    });
    check(`callback ${bufferSize}`, names);

    // All started at once, some of them beyond the end.
    dir = await fs.promises.opendir(folder, options);
    const entries = await Promise.all(Array.from({ length: kFiles + 3 }, () => dir.read()));
    check(`at once ${bufferSize}`, entries.filter((entry) => entry !== null).map((entry) => entry.name));
    await dir.close();

    // First this way, then that.
    dir = await fs.promises.opendir(folder, options);
    names = [(await dir.read()).name, dir.readSync().name, (await dir.read()).name];
    for (let entry; (entry = dir.readSync()) !== null;) names.push(entry.name);
    check(`both ${bufferSize}`, names);
    dir.closeSync();
  }
  // Files go while it is read.
  let seen = 0;
  for await (const entry of await fs.promises.opendir(folder)) {
    fs.unlinkSync(`${folder}/${entry.name}`);
    seen++;
  }
  console.log(seen);
  for await (const entry of await fs.promises.opendir(folder)) console.log(entry.name);
  fs.rmdirSync(folder);
})();
