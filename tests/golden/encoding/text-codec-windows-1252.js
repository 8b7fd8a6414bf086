// The label "latin1" means windows-1252, whose bytes 0x80 to 0x9f are not control characters.
'use strict';
for (const label of ['latin1', 'windows-1252', 'ascii']) {
  console.log(JSON.stringify(new TextDecoder(label).decode(Uint8Array.from({ length: 32 }, (_, i) => i + 128))));
}
console.log(new TextDecoder('latin1').decode(new Uint8Array([0x68, 0xe9])));
