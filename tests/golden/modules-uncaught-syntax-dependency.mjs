import './fixtures/modules/esm/syntax.mjs';
