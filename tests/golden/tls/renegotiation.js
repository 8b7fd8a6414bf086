'use strict';
// renegotiate(), its limits, and that TLS 1.3 does not have it.
const tls = require('tls');
const { connect } = require('./fixtures/keys');

function first(done) {
  connect({ maxVersion: 'TLSv1.2' }, {}, (client, other) => {
    let count = 0;
    other.on('error', () => {});
    other.resume();
    client.on('end', () => console.log('end'));
    const again = () => client.renegotiate({}, (error) => {
      console.log('renegotiated', ++count, error);
      if (count < tls.CLIENT_RENEG_LIMIT) again();
      else client.end();
    });
    again();
  }, done);
}
function flood(done) {
  connect({ maxVersion: 'TLSv1.2' }, {}, (client, other) => {
    other.on('error', (error) => { console.log(error.code); other.destroy(); });
    const again = () => client.renegotiate({}, () => { if (!client.destroyed) again(); });
    again();
    other.on('close', () => client.destroy());
  }, done);
}
function disabled(done) {
  connect({ maxVersion: 'TLSv1.2' }, {}, (client, other) => {
    other.disableRenegotiation();
    other.on('error', (error) => { console.log(error.code); other.destroy(); client.destroy(); });
    client.renegotiate({}, () => {});
  }, done);
}
function newer() {
  connect({}, {}, (client) => {
    console.log(client.renegotiate({}, (error) => { console.log(error.code, error.message); client.end(); }));
    for (const call of [() => client.renegotiate(), () => client.renegotiate({}, 1), () => client.setServername(1)]) {
      try { call(); } catch (error) { console.log(error.code); }
    }
  });
}
first(() => flood(() => disabled(newer)));
