'use strict';
// Valid and invalid values of process.exitCode.
for (const value of [0, 1, -1, 255, 256, 2147483648, '7', '0', ' 8 ', '-3', undefined, null]) {
  try {
    process.exitCode = value;
    console.log('takes', typeof value, String(value), typeof process.exitCode, String(process.exitCode));
  } catch (error) {
    console.log('refuses', String(value), error.code, error.message);
  }
}
for (const value of [1.5, NaN, Infinity, '', 'x', '1.5', true, false, {}, [], () => {}, 5n, Symbol('s')]) {
  try {
    process.exitCode = value;
    console.log('takes', typeof value, String(value));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
process.exitCode = undefined;
process.on('exit', (code) => console.log('exit', code, process.exitCode));
