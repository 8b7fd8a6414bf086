// A lost update: each deposit reads the balance and writes the sum back. The second one reads before the first has
// written, and the first deposit is lost.
const fs = require('fs/promises');
const os = require('os');
const path = require('path');
const file = path.join(os.tmpdir(), `balance-${process.pid}`);

async function deposit(amount) {
  const balance = Number(await fs.readFile(file, 'utf8'));
  await fs.writeFile(file, `${balance + amount}`);
}

async function main() {
  await fs.writeFile(file, '100');
  const wage = deposit(20);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await deposit(10);
  await wage;
  const balance = await fs.readFile(file, 'utf8');
  await fs.rm(file);
  if (balance !== '130') throw new Error(`the balance is ${balance}`);
}

main();
