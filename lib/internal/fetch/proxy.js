'use strict';
// --use-env-proxy and NODE_USE_ENV_PROXY: fetch() uses the proxies that the environment names.

const { EnvHttpProxyAgent, setGlobalDispatcher } = require('internal/fetch/undici');

function useEnvironment() {
  setGlobalDispatcher(new EnvHttpProxyAgent());
}

module.exports = { useEnvironment };
