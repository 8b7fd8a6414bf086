// A Blob and a File are cloned with their bytes.
'use strict';
(async () => {
  for (const source of [new Blob(['ab', 'c'], { type: 'text/plain' }), new File(['abc'], 'name', { type: 'a/b', lastModified: 5 })]) {
    const clone = structuredClone(source);
    console.log(clone, clone !== source, clone instanceof Blob, await clone.text());
  }
})();
