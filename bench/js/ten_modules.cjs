'use strict';
for (const name of ['assert', 'async_hooks', 'buffer', 'events', 'os', 'path', 'querystring', 'string_decoder', 'url',
  'util']) {
  require(`node:${name}`);
}
