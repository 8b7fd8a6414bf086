import { Worker } from 'node:worker_threads';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.message, origin));
process.on('unhandledRejection', (reason) => console.log('unhandledRejection', reason.message));
process.on('exit', (code) => console.log('exit', code));
const text = (source) => `data:text/javascript,${encodeURIComponent(source)}`;

// import() in a module that goes on is an ordinary promise.
import(text("throw new Error('imported')"));
await new Promise((resolve) => setTimeout(resolve, 20));

// The entry point of a worker ends the worker.
for (const source of ["throw new Error('at once')", "await null; throw new Error('after await')"]) {
  const worker = new Worker(new URL(text(`process.nextTick(() => console.log('tick')); ${source}`)));
  worker.on('error', (error) => console.log('error', error.message));
  const code = await new Promise((resolve) => worker.on('exit', resolve));
  console.log('worker exit', code);
}
await import(text("await null; throw new Error('the program itself')"));
