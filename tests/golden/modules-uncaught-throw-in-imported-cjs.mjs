import './fixtures/modules/throws.js';
