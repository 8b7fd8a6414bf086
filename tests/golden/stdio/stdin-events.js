'use strict';
// Standard input as a stream of text, with its events in order.
process.stdin.setEncoding('utf8');
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () => console.log('end', JSON.stringify(text)));
console.log(process.stdin.fd, process.stdin.isTTY, process.stdin === process.stdin);
