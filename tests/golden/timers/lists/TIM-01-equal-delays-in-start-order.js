'use strict';
for (let i = 0; i < 5; i++) setTimeout(() => console.log('late', i), 400);
for (let i = 0; i < 5; i++) setTimeout(() => console.log('one', i), 1);
for (let i = 0; i < 5; i++) setTimeout(() => console.log('zero', i), 0);
