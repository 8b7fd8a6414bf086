import { first, nothing as something } from './fixtures/modules/esm/function.cjs';
