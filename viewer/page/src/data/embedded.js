// Threads embedded in the page by lib/internal/trace/html.js.
import { unpack } from 'internal/trace/packed';
import { Names, Trace } from 'internal/trace/reader';

function decodeBase64(text) {
  if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

export function decodeThread({ header, names, records, count, first, dropped, cut }) {
  const bytes = unpack(decodeBase64(records), count);
  return new Trace({
    header,
    names: new Names(decodeBase64(names), header.namesCount),
    bytes,
    first,
    count: bytes.length / 32,
    dropped,
    cut,
  });
}
