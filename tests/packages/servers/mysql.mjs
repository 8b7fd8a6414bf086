// needs: mariadb
// mysql2: prepared statements, types, streams, a pool, transactions, TLS and errors.
import { readFileSync } from 'node:fs';
import callbacks from 'mysql2';
import mysql from 'mysql2/promise';

const config = { host: '127.0.0.1', port: +process.env.TEST_MYSQL_PORT, user: 'tester', password: 'secret',
  database: 'test' };
const client = await mysql.createConnection(config);
console.log((await client.query('SELECT 41 + ? AS n, ? AS text', [1, 'ä\'"']))[0]);
await client.query(`CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(100) UNIQUE, big BIGINT,
  price DECIMAL(10, 2), at DATETIME(3), data JSON, bytes BLOB)`);
const [inserted] = await client.execute('INSERT INTO t (name, big, price, at, data, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  ['one', '9007199254740993', 1.5, new Date(0), JSON.stringify({ a: [1] }), Buffer.from([0, 1, 255])]);
console.log(inserted.insertId, inserted.affectedRows);
console.log((await client.execute('SELECT name, CAST(big AS CHAR) AS big, price, bytes, data FROM t'))[0]);
console.log((await client.query({ sql: 'SELECT 1, NULL, 2.5', rowsAsArray: true }))[0]);
await client.query('INSERT INTO t (name) VALUES ?', [Array.from({ length: 2000 }, (_, i) => [`row ${i}`])]);
for (const sql of ['SELECT * FROM nothing', 'SELEKT', "INSERT INTO t (name) VALUES ('one')"]) {
  await client.query(sql).catch((error) => console.log(error.code, error.errno, error.sqlState));
}
await client.beginTransaction();
await client.query('DELETE FROM t');
await client.rollback();
console.log((await client.query('SELECT COUNT(*) AS n FROM t'))[0][0].n);
const large = Buffer.alloc(5 << 20, 'x');
console.log((await client.query('SELECT LENGTH(?) AS n', [large]))[0][0].n,
  (await client.query("SELECT REPEAT('y', 3000000) AS y"))[0][0].y.length);
await client.end();

const plain = callbacks.createConnection({ ...config, multipleStatements: true });
const names = [];
const rows = plain.query("SELECT name FROM t WHERE name LIKE 'row %' ORDER BY id").stream({ highWaterMark: 5 });
for await (const { name } of rows) names.push(name);
console.log(names.length, names.at(-1));
plain.query('SELECT 1 AS a; SELECT 2 AS b', (error, results) => console.log(error, results));
await new Promise((resolve) => plain.end(resolve));

const pool = mysql.createPool({ ...config, connectionLimit: 3 });
console.log((await Promise.all(Array.from({ length: 20 }, (_, i) => pool.execute('SELECT ? * 2 AS n', [i]))))
  .map(([[{ n }]]) => Number(n)).join());
await pool.end();

const ca = readFileSync(`${process.env.TEST_KEYS}/ca.pem`);
const secure = await mysql.createConnection({ ...config, host: 'localhost', ssl: { ca } });
console.log((await secure.query("SHOW STATUS LIKE 'Ssl_version'"))[0][0].Value);
await secure.end();
await mysql.createConnection({ ...config, password: 'wrong' }).catch((error) => console.log(error.code));
await mysql.createConnection({ ...config, ssl: {} }).catch((error) => console.log(error.code));
console.log('done');
