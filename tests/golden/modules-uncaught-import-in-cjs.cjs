import 'node:path';
