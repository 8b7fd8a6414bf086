// Makes lib's internal/trace/page: the page's script and its style, as texts.
exports.script = require('page-output/page.js');
exports.style = require('page-output/page.css');
