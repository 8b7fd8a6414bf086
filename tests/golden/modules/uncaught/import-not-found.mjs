import './nothing.mjs';
