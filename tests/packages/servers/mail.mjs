// needs: smtp
// nodemailer: text, HTML, attachments, addresses, many messages over one connection, STARTTLS and refusals.
import { readFileSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';

const { TEST_SMTP_PORT: port, TEST_SMTP_MAILBOX: mailbox, TEST_KEYS: keys } = process.env;
const common = { host: '127.0.0.1', port: +port, tls: { ca: readFileSync(`${keys}/ca.pem`), servername: 'localhost' } };
const stable = (text) => text.replace(/^(Date|Message-ID|X-Peer): .*$/gm, '$1').replace(/--_NmP-[\w-]+/g, '--part')
  .replace(/\r\n/g, '\n');

// All mail that has arrived, which is removed.
function arrived() {
  const folder = join(mailbox, 'new');
  return readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    unlinkSync(join(folder, name));
    return text;
  });
}

const transport = nodemailer.createTransport({ ...common, requireTLS: true });
console.log(await transport.verify());
const sent = await transport.sendMail({
  from: '"Änne" <anne@example.com>', to: ['bob@example.com', 'Eve <eve@example.com>'], cc: 'carl@example.com',
  bcc: 'dan@example.com',
  subject: 'Grüße aus dem Test', text: 'Hello\n.\n..two dots\nend ä', html: '<p>Hello <img src="cid:picture"></p>',
  headers: { 'X-Own': 'value' },
  attachments: [{ filename: 'data.bin', content: Buffer.from([0, 1, 2, 255]), cid: 'picture' },
    { filename: 'lines.txt', content: Readable.from(['one\n', 'two\n']) }],
});
console.log(sent.accepted, sent.rejected, sent.envelope, sent.response);
console.log(arrived().map(stable).join('\n').replace(/boundary="[^"]+"/g, 'boundary'));
transport.close();

const pool = nodemailer.createTransport({ ...common, pool: true, maxConnections: 2, maxMessages: 10 });
const results = await Promise.all(Array.from({ length: 30 }, (_, i) => pool.sendMail({
  from: 'a@example.com', to: `user${i}@example.com`, subject: `number ${i}`, text: 'x'.repeat(i * 1000) })));
console.log(results.length, arrived().length);
pool.close();

const plain = nodemailer.createTransport({ ...common, ignoreTLS: true });
await plain.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'y'.repeat(1_500_000) });
console.log(arrived()[0].length > 1_500_000);
await plain.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'y'.repeat(2_500_000) }).catch((error) =>
  console.log(error.code, error.responseCode, error.command));
await plain.sendMail({ from: 'a@example.com', to: [] }).catch((error) => console.log(error.code, error.message));
const untrusting = nodemailer.createTransport({ ...common, tls: { servername: 'localhost' }, requireTLS: true });
await untrusting.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'z' }).catch((error) =>
  console.log(error.code, error.command));
await nodemailer.createTransport({ host: '127.0.0.1', port: 1 }).verify().catch((error) =>
  console.log(error.code, error.command));
console.log(arrived().length);
