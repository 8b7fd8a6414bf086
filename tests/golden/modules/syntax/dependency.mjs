import '../fixtures/esm/syntax.mjs';
