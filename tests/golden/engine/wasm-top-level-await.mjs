// The top level of a module may wait for WebAssembly alone.
const bytes = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const module = await WebAssembly.compile(bytes);
console.log(module instanceof WebAssembly.Module);
const instance = await WebAssembly.instantiate(module);
console.log(instance instanceof WebAssembly.Instance, Object.keys(instance.exports));
