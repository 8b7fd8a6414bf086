import { first, nothing as something } from '../fixtures/esm/function.cjs';
