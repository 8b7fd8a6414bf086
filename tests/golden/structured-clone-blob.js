// A Blob and a File clone to a Blob with the same bytes.
'use strict';
(async () => {
  for (const source of [new Blob(['ab', 'c'], { type: 'text/plain' }), new File(['abc'], 'name', { type: 'a/b' })]) {
    const clone = structuredClone(source);
    console.log(clone, clone !== source, clone instanceof Blob, await clone.text());
  }
})();
