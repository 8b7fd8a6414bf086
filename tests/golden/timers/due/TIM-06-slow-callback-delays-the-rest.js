'use strict';
const came = [];
setTimeout(() => {
  came.push('slow');
  for (const end = Date.now() + 60; Date.now() < end;);
}, 1);
setTimeout(() => came.push('due at 20'), 20);
setTimeout(() => came.push('due at 40'), 40);
setTimeout(() => came.push('due at 300'), 300);
process.on('exit', () => console.log(came.join(', ')));
