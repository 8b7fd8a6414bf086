require('node:nothing');
