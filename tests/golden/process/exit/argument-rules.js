'use strict';
process.reallyExit = (code) => { throw new Error(`reallyExit ${code}`); };
for (const value of [1.5, NaN, '', 'x', true, {}, [], 5n, Symbol('s')]) {
  try {
    process.exit(value);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
for (const value of [undefined, null, 0, '3', -2, 256]) {
  try {
    process.exit(value);
  } catch (error) {
    console.log(String(value), error.message, process._exiting);
  }
}
