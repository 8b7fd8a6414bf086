'use strict';
// Names of destinations, and the cache of sessions.
const https = require('https');

const agent = new https.Agent();
console.log(agent.defaultPort, agent.protocol, agent.maxCachedSessions, https.globalAgent instanceof https.Agent);
console.log(JSON.stringify(agent.getName()));
const options = {
  host: 'h', port: 1, localAddress: 'l', family: 4, ca: 'ca', cert: 'cert', clientCertEngine: 'engine', ciphers: 'ciphers', key: 'key',
  pfx: 'pfx', rejectUnauthorized: false, servername: 'name', minVersion: 'min', maxVersion: 'max', secureProtocol: 'protocol', crl: 'crl',
  honorCipherOrder: true, ecdhCurve: 'curve', dhparam: 'dh', secureOptions: 0, sessionIdContext: 'id', sigalgs: 'sig',
  privateKeyIdentifier: 'pk', privateKeyEngine: 'pe',
};
console.log(agent.getName(options));
for (const name of Object.keys(options)) console.log(agent.getName({ [name]: options[name] }));
console.log(agent.getName({ pfx: [{ buf: 'a', passphrase: 'b' }, 'c'], passphrase: 'd' }));
console.log(agent.getName({ host: 'same', servername: 'same' }));

const small = new https.Agent({ maxCachedSessions: 2 });
for (const key of ['a', 'b', 'a', 'c']) small._cacheSession(key, `session ${key}`);
console.log(['a', 'b', 'c'].map((key) => small._getSession(key)));
small._evictSession('b');
small._evictSession('none');
console.log(small._sessionCache);
const none = new https.Agent({ maxCachedSessions: 0 });
none._cacheSession('a', 'x');
console.log(none._sessionCache);
console.log(Object.keys(https).join());
