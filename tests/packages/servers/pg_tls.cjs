'use strict';
// needs: postgres
// pg over TLS: queries, large results, certificates that are refused, and a cancelled query.
const { readFileSync } = require('node:fs');
const { Client, Pool } = require('pg');

const ca = readFileSync(`${process.env.TEST_KEYS}/ca.pem`, 'utf8');
const config = { host: 'localhost', port: +process.env.TEST_PG_PORT, user: 'tester', password: 'secret',
  database: 'postgres' };
(async () => {
  const client = new Client({ ...config, ssl: { ca } });
  await client.connect();
  console.log((await client.query('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).rows);
  console.log(client.connection.stream.constructor.name, client.connection.stream.authorized);
  const many = await client.query('SELECT g, repeat(md5(g::text), 50) AS text FROM generate_series(1, 3000) g');
  console.log(many.rowCount, many.rows.reduce((sum, row) => sum + row.text.length, 0));
  const { rows: [{ n }] } = await client.query('SELECT length($1) AS n', ['x'.repeat(2 << 20)]);
  console.log(n);
  await client.query('SET statement_timeout = 100');
  await client.query('SELECT pg_sleep(60)').catch((error) => console.log(error.code));
  await client.end();
  const pool = new Pool({ ...config, ssl: { ca }, max: 4 });
  console.log((await Promise.all(Array.from({ length: 20 },
    (_, i) => pool.query('SELECT $1::int * 2 AS n', [i])))).map(({ rows }) => rows[0].n).join());
  await pool.end();
  const refuse = () => Object.assign(new Error('not this server'), { code: 'REFUSED' });
  for (const ssl of [true, { ca, checkServerIdentity: refuse }]) {
    await new Client({ ...config, ssl }).connect().catch((error) => console.log(error.code));
  }
  const plain = new Client(config);
  await plain.connect();
  console.log((await plain.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).rows);
  await plain.end();
  console.log('done');
})().catch((error) => { console.log(error); process.exit(1); });
