// A search for UTF-16 that finds nothing, in a buffer whose length is odd. Node says 2.
'use strict';
console.log(Buffer.from([1, 0, 2]).indexOf(Buffer.from([9, 9]), 0, 'ucs2'));
console.log(Buffer.from([1, 0, 2]).lastIndexOf(Buffer.from([9, 9]), undefined, 'ucs2'));
