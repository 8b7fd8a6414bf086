'use strict';
// Random bodies, most of them almost valid, that fetch's classes parse: multipart and urlencoded forms, JSON, and the
// header fields that come with them, among them cookies and media types.
const { describe, digest } = require('./wire');
const { damage } = require('./requests');

const boundaries = ['b', '----formdata-1', 'a b', '"q"', 'x'.repeat(70), 'x'.repeat(71), '', 'a:b'];
const names = ['a', 'a', 'b', 'a"b', 'a%22b', 'a\\"b', '\xe9', '', 'a\r\nb', '__proto__'];
const types = ['text/plain', 'text/plain; charset=utf-8', 'image/png', 'x', ''];
const contents = ['', 'hello', 'a\r\nb', '\r\n--b\r\n', '--b--', '\xff\xfe', 'x'.repeat(300), '\xef\xbb\xbfbom'];
const lineEnds = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'];
const pairs = ['a=1', 'a=2', 'b', '=c', 'd=%20+%2B', 'e=%zz', 'f=%e9', '', 'g=%c3%a9', '%61=%00'];
const cookies = ['a=1', 'b=2; Path=/', 'c=3, d=4', '', ' e = 5 ', 'f="6"; Expires=Thu, 01 Jan 1970 00:00:00 GMT'];
const mediaTypes = ['application/json', 'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded;charset=x', 'APPLICATION/X-WWW-FORM-URLENCODED', 'multipart/form-data',
  'multipart/mixed; boundary=b', 'text/plain', '*/*', ''];
const fieldValues = [' a', 'a ', '\ta', 'a\x00', 'a\nb', '\xe9', '', 'a, b', 'Sun, 06 Nov 1994 08:49:37 GMT'];

function part(numbers) {
  const end = numbers.pick(lineEnds);
  const quote = numbers.oneIn(8) ? '' : '"';
  let text = `Content-Disposition: ${numbers.oneIn(10) ? 'attachment' : 'form-data'}`;
  if (!numbers.oneIn(10)) text += `; name=${quote}${numbers.pick(names)}${quote}`;
  if (numbers.oneIn(3)) text += `; filename${numbers.oneIn(6) ? '*' : ''}=${quote}${numbers.pick(names)}${quote}`;
  text += end;
  if (numbers.oneIn(3)) text += `Content-Type: ${numbers.pick(types)}${end}`;
  if (numbers.oneIn(8)) text += `Content-Transfer-Encoding: ${numbers.pick(['base64', 'binary', 'x'])}${end}`;
  if (numbers.oneIn(12)) text += `X-Other: 1${end}`;
  return `${text}${end}${numbers.pick(contents)}`;
}

function multipart(numbers) {
  const boundary = numbers.pick(boundaries);
  let text = numbers.oneIn(8) ? 'preamble\r\n' : '';
  for (let i = numbers.below(4); i > 0; i--) text += `--${boundary}\r\n${part(numbers)}\r\n`;
  if (!numbers.oneIn(8)) text += `--${boundary}--`;
  if (!numbers.oneIn(4)) text += '\r\n';
  const value = numbers.oneIn(4) ? `"${boundary}"` : boundary;
  return { text, type: `multipart/form-data${numbers.oneIn(10) ? '' : `; boundary=${value}`}` };
}

function urlencoded(numbers) {
  const text = Array.from({ length: numbers.below(6) }, () => numbers.pick(pairs)).join(numbers.oneIn(8) ? ';' : '&');
  return { text, type: 'application/x-www-form-urlencoded' };
}

const json = (numbers) => ({
  text: numbers.pick(['{"a":1}', '[1,', '"\ud800"', '\xef\xbb\xbf{}', '', 'nul', '{"__proto__":1}', '1e999']),
  type: 'application/json',
});

async function attempt(events, name, action) {
  try {
    events.push(`${name} ${await action()}`);
  } catch (error) {
    events.push(`${name} ${error.name} ${error.message} ${error.cause?.message}`);
  }
}

async function entries(form) {
  const found = [];
  for (const [name, value] of form) {
    found.push(typeof value === 'string' ? [name, value] :
      [name, value.name, value.type, digest(Buffer.from(await value.arrayBuffer()))]);
  }
  return describe(found);
}

// The body as one piece, or as a stream of pieces.
function pieces(numbers, bytes) {
  if (numbers.oneIn(2)) return bytes;
  const step = 1 + numbers.below(40);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at += step)));
    },
  });
}

function makeHeaders(numbers, events, type) {
  const headers = new Headers();
  const append = (name, value) => {
    try {
      headers.append(name, value);
    } catch (error) {
      events.push(`header ${error.name} ${error.message}`);
    }
  };
  append('content-type', type);
  for (let i = numbers.below(3); i > 0; i--) append('Set-Cookie', numbers.pick(cookies));
  for (let i = numbers.below(3); i > 0; i--) append(numbers.pick(['x', 'Date', 'x y', '']), numbers.pick(fieldValues));
  return headers;
}

async function run(numbers) {
  const events = [];
  const made = numbers.pick([multipart, multipart, multipart, urlencoded, json])(numbers);
  const type = numbers.oneIn(6) ? numbers.pick(mediaTypes) : made.type;
  // Node decodes a character outside of ASCII wrongly if the form also has an escaped byte that is no UTF-8.
  const isDamaged = numbers.oneIn(3) && made.text !== '' && !made.type.includes('urlencoded');
  const text = isDamaged ? damage(numbers, made.text) : made.text;
  const bytes = Buffer.from(text, numbers.oneIn(2) ? 'latin1' : 'utf8');
  events.push(`${type}: ${JSON.stringify(text)}`);
  const headers = makeHeaders(numbers, events, type);
  events.push(describe([...headers]), describe(headers.getSetCookie()));
  const message = () => (numbers.oneIn(2) ? new Response(pieces(numbers, bytes), { headers }) :
    new Request('http://a/', { method: 'POST', body: pieces(numbers, bytes), headers, duplex: 'half' }));
  await attempt(events, 'form', async () => entries(await message().formData()));
  await attempt(events, 'text', async () => JSON.stringify(await message().text()));
  await attempt(events, 'json', async () => describe(await message().json()));
  await attempt(events, 'blob', async () => {
    const { size, type } = await message().blob();
    return `${size} ${type}`;
  });
  return events;
}

module.exports = { run };
