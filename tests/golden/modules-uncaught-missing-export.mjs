import { nothing } from './fixtures/modules/esm/values.mjs';
