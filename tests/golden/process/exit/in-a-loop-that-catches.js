'use strict';
// Nothing can hold it up once 'exit' was emitted.
process.on('exit', () => console.log('exit'));
for (;;) {
  try {
    process.exit(3);
  } catch {
    // Again.
  } finally {
    continue;
  }
}
