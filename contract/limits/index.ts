export { certificateLimits } from './certificate.ts';
export { documentLimits } from './document.ts';
export { inputLimits } from './input.ts';
export type { Limit, LimitUnit } from './limit.ts';
export { mockLimits } from './mock.ts';
export { responseLimits } from './response.ts';
export { runLimits } from './run.ts';
