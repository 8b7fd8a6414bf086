'use strict';
for (let i = 0; i < 5; i++) setTimeout(() => console.log('ten', i), 10);
for (let i = 0; i < 5; i++) setTimeout(() => console.log('one', i), 1);
for (let i = 0; i < 5; i++) setTimeout(() => console.log('zero', i), 0);
for (const end = Date.now() + 30; Date.now() < end;);
