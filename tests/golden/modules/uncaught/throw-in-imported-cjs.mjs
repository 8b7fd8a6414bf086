import '../fixtures/throws.js';
