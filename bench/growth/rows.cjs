'use strict';
// rows.cjs --list | ROW COUNT: runs one row with COUNT objects and prints milliseconds, a line of JSON: { cpu, clock }.
// A row is { count, run(count, context) }. It may have prepare(count), which is not measured and returns the context,
// and release(context).
const rows = { ...require('./engine_rows.cjs'), ...require('./io_rows.cjs') };

// A small run comes first, so that the measurement does not include compilation.
const kWarmUp = 16;

// Runs in a callback of its own: rondo would report a slow microtask as starvation.
function inTurn(run) {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error);
      }
    });
  });
}

async function measure({ run, prepare, release }, count) {
  const context = await inTurn(() => prepare?.(count));
  try {
    let processor;
    let start;
    await inTurn(() => {
      processor = process.cpuUsage();
      start = process.hrtime.bigint();
      return run(count, context);
    });
    const clock = Number(process.hrtime.bigint() - start) / 1e6;
    const { user, system } = process.cpuUsage(processor);
    return { cpu: (user + system) / 1e3, clock };
  } finally {
    await release?.(context);
  }
}

async function main(name, count) {
  if (name === '--list') {
    for (const [row, { count: usual, isClock }] of Object.entries(rows)) {
      console.log(JSON.stringify({ row, count: usual, unit: isClock ? 'clock' : 'cpu' }));
    }
    return;
  }
  const row = rows[name];
  if (row === undefined) throw new Error(`there is no row '${name}'; --list lists them`);
  await measure(row, Math.max(1, Math.floor(count / kWarmUp)));
  console.log(JSON.stringify(await measure(row, count)));
}

main(process.argv[2], +process.argv[3]).then(() => process.exit(), (error) => {
  console.error(error);
  process.exit(1);
});
