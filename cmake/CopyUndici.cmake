# Copies the parts of undici that rondo embeds from SOURCE to DESTINATION. Its module of
# events is replaced by a file of lib, so that each event has one class in all of rondo, and the entry also exports the
# parts that lib/internal/fetch uses.
file(REMOVE_RECURSE ${DESTINATION})
file(COPY ${SOURCE}/lib ${SOURCE}/index-fetch.js ${SOURCE}/package.json DESTINATION ${DESTINATION})
file(WRITE ${DESTINATION}/lib/web/websocket/events.js "module.exports = require('internal/fetch/events')\n")
file(WRITE ${DESTINATION}/entry.js [[
const { Response, fromInnerResponse } = require('./lib/web/fetch/response')
const { createOpaqueTimingInfo } = require('./lib/web/fetch/util')
module.exports = {
  ...require('./index-fetch'),
  internals: {
    Agent: require('./lib/dispatcher/agent'),
    HeadersList: require('./lib/web/fetch/headers').HeadersList,
    Response,
    badPorts: require('./lib/web/fetch/constants').badPortsSet,
    buildConnector: require('./lib/core/connect'),
    channels: require('./lib/core/diagnostics').channels,
    createOpaqueTimingInfo,
    errors: require('./lib/core/errors'),
    finalizeAndReportTiming: require('./lib/web/fetch').finalizeAndReportTiming,
    fromInnerResponse,
    symbols: require('./lib/core/symbols'),
    util: require('./lib/core/util'),
  },
}
]])
