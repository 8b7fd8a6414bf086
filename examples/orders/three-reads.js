// Three reads, of which any may be the first, and any the second. Six outcomes.
const fs = require('fs');

for (const name of ['a', 'b', 'c']) fs.readFile(__filename, () => console.log(name));
