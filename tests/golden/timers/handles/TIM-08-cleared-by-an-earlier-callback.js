'use strict';
const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
setTimeout(() => {
  console.log('first clears second, fourth');
  clearTimeout(second);
  clearTimeout(fourth);
}, 1);
const second = setTimeout(() => console.log('never'), 1);
setTimeout(() => console.log('third'), 1);
const fourth = setTimeout(() => console.log('never'), 2);
const fifth = setTimeout(() => console.log('never'), 3);
process.nextTick(() => {});
setTimeout(() => {
  process.nextTick(() => clearTimeout(sixth));
  Promise.resolve().then(() => clearTimeout(seventh));
}, 2);
const sixth = setTimeout(() => console.log('never'), 4);
const seventh = setInterval(() => console.log('never'), 4);
clearTimeout(fifth);
burn(15);
