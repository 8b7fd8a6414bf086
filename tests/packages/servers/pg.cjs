'use strict';
// needs: postgres
const { Client, Pool } = require('pg');

const config = { host: '127.0.0.1', port: +process.env.TEST_PG_PORT, user: 'tester', password: 'secret',
  database: 'postgres' };
(async () => {
  const client = new Client(config);
  await client.connect();
  console.log((await client.query('SELECT $1::int + 1 AS n, now() > $2 AS later', [41, new Date(0)])).rows);
  await client.query('CREATE TEMP TABLE t (id serial PRIMARY KEY, name text, data jsonb, bytes bytea)');
  await client.query('INSERT INTO t (name, data, bytes) VALUES ($1, $2, $3), ($4, $5, $6)',
    ['a', { x: [1] }, Buffer.from([1, 2, 255]), 'b', null, null]);
  console.log((await client.query('SELECT * FROM t ORDER BY id')).rows);
  await client.query('SELECT nothing FROM t').catch((error) => console.log(error.code, error.message));
  const many = await client.query('SELECT g, repeat(md5(g::text), 20) AS text FROM generate_series(1, 5000) g');
  console.log(many.rowCount, many.rows.reduce((sum, row) => sum + row.text.length, 0));
  await client.query('LISTEN news');
  const notified = new Promise((resolve) => client.once('notification', resolve));
  await client.query("NOTIFY news, 'hello'");
  console.log((await notified).payload);
  await client.end();
  const pool = new Pool({ ...config, max: 4 });
  console.log((await Promise.all(Array.from({ length: 20 },
    (_, i) => pool.query('SELECT $1::int * 2 AS n', [i])))).map(({ rows }) => rows[0].n).join());
  await pool.end();
  await new Client({ ...config, password: 'wrong' }).connect().catch((error) => console.log(error.code));
  console.log('done');
})().catch((error) => { console.log(error); process.exit(1); });
