export { systemClock, type Clock } from './clock.ts';
export { readCredential } from './credential.ts';
export type { ControlOptions } from './control/access.ts';
export type { Control } from './control/control.ts';
export type { Fault, FaultRule } from './control/fault.ts';
export type { JournalFilter, Wait } from './control/journal-filter.ts';
export type { Quota, QuotaChange } from './control/quota.ts';
export type { SandboxControl } from './control/sandbox-control.ts';
export {
  MAX_CONTENT_BYTES,
  type MockAnswer,
  type MockRequest,
  type RequestContent,
  type RequestHeaders,
} from './exchange.ts';
export type { MockFetch } from './doors/fetch.ts';
export { GapError } from './gaps.ts';
export type { Exchange } from './exchange-record.ts';
export { createMock, type Mock, type MockKey } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
export { listen, type Listening, type ListenOptions } from './node-server.ts';
export { readParameterText } from './parameter-text.ts';
export { LimitError, type LimitOptions } from './plan-limits.ts';
export { type Reason, type Refusal, refuse } from './refusal.ts';
export { type Seed, SeedError } from './seed.ts';
export type { TlsIdentity } from './tls/certificate.ts';
