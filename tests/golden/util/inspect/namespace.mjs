// A module that imports itself sees what is not initialized yet.
import * as self from './namespace.mjs';
import { inspect } from 'util';

for (const option of [undefined, { colors: true }, { showHidden: true }, { depth: -1 }, { compact: false }]) {
  try {
    console.log(inspect(self, option), inspect([self], option));
  } catch (error) {
    console.log(error.name, error.message);
  }
}
export let first = 1;
export const second = { a: { b: { c: {} } } };
export class Third {}
export default function fourth() {}
export { first as 'a name' };
console.log(self);
console.log(inspect(self, { colors: true }), inspect(self, { showHidden: true }), inspect({ self }, { depth: 0 }), inspect(self, { sorted: true }));
