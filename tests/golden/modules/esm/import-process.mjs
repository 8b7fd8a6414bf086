// process and console as modules: the same objects that are global.
import process, { argv, env, nextTick, version } from 'node:process';
import * as namespace from 'process';
import console from 'node:console';
console.log(process === globalThis.process, argv === process.argv, env === process.env, nextTick === process.nextTick);
console.log(version === process.version, namespace.default === process, console === globalThis.console);
console.log('stdout' in namespace, typeof namespace.exit, typeof namespace.on);
