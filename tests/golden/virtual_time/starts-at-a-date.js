'use strict';
console.log(new Date().toISOString());
setTimeout(() => console.log(new Date().toISOString()), 1500);
setTimeout(() => console.log(new Date().toISOString()), 86400000 * 14);
