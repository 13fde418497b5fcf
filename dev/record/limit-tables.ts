import {
  certificateLimits,
  documentLimits,
  inputLimits,
  mockLimits,
  responseLimits,
  runLimits,
} from '../../contract/limits/index.ts';
import type { LimitTable } from './limits-document.ts';

/** All limits, as docs/limits.md shows them. */
export const limitTables: readonly (LimitTable & { readonly name: string })[] = [
  { name: 'documentLimits', title: 'Documents', limits: documentLimits },
  { name: 'responseLimits', title: 'Responses of a target', limits: responseLimits },
  { name: 'runLimits', title: 'Runs', limits: runLimits },
  { name: 'mockLimits', title: 'The mock', limits: mockLimits },
  { name: 'certificateLimits', title: 'Certificates and keys', limits: certificateLimits },
  { name: 'inputLimits', title: 'Other files', limits: inputLimits },
];
