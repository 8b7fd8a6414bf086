'use strict';
// An escape that is not UTF-8 becomes U+FFFD, and characters beside it stay.
for (const text of ['g=é;f=%e9', '%e9é', 'é%zz%e9']) {
  console.log(JSON.stringify([...new URLSearchParams(text)]));
}
