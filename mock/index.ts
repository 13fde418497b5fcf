export { systemClock, type Clock } from './clock.ts';
export { MAX_CONTENT_BYTES, type MockAnswer, type MockRequest, type RequestContent, type RequestHeaders } from './exchange.ts';
export { GapError } from './gaps.ts';
export type { Exchange } from './journal.ts';
export { createMock, type Mock, type MockKey, type MockOptions } from './mock.ts';
export type { Listening, ListenOptions } from './node-server.ts';
export { LimitError, type LimitOptions } from './plan-limits.ts';
export type { Reason, Refusal } from './refusal.ts';
export { type Seed, SeedError } from './seed.ts';
