// Unbounded retries: a slow attempt is not cancelled when the next one begins, and they pile up.
const fs = require('fs');

let running = 0;
let timer;
function attempt() {
  if (++running > 2) throw new Error(`${running} attempts at once`);
  timer = setTimeout(attempt, 100);
  fs.readFile(__filename, () => {
    running--;
    clearTimeout(timer);
  });
}
attempt();
