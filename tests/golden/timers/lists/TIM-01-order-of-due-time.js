'use strict';
// Shuffled delays, each twice.
const order = [7, 3, 50, 1, 20, 3, 7, 1, 50, 20];
const came = [];
order.forEach((delay, i) => setTimeout(() => came.push(`${delay}:${i}`), delay));
process.on('exit', () => console.log(came.join(' ')));
