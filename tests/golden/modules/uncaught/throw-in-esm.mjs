// A module that throws shows the line.
function thrower() {
  throw new TypeError('thrown');
}
await null;
thrower();
