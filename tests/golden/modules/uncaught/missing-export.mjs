import { nothing } from '../fixtures/esm/values.mjs';
