export { systemClock, type Clock } from './sandbox/clock.ts';
export { readCredential } from './operation/request/credential.ts';
export type { ControlOptions } from './control/access.ts';
export type {
  Comparison as RunComparison,
  ConformanceRuns,
  OpenConformance,
  ReportFormat,
  Run as ConformanceRun,
  RunOrder,
  RunPlan as RunPlanSummary,
  RunProgress,
} from './control/conformance/runs.ts';
export type { Control } from './control/control.ts';
export type { Hint } from './control/hint/find-hints.ts';
export type { Fault, FaultRule } from './control/fault/fault.ts';
export type { JournalFilter, JournalWait } from './control/journal/journal-filter.ts';
export type { Quota, QuotaChange } from './control/quota/quota.ts';
export type { SandboxControl } from './control/sandbox-control.ts';
export type { StubControl } from './control/stub/stub-control.ts';
export type {
  BodyCondition,
  FileStub,
  Stub,
  StubRequest,
  StubResponse,
  StubRule,
  StubScenario,
  StubWarning,
  TextCondition,
} from './control/stub/stub.ts';
export { fileStub } from './control/stub/stub.ts';
export type { WebhookDelivery, WebhookOrder } from './control/webhook/send.ts';
export {
  maxContentBytes,
  type MockResponse,
  type MockRequest,
  type RequestContent,
  type RequestHeaders,
} from './http/message.ts';
export type { MockFetch } from './integrations/fetch/fetch.ts';
export type { JournalEntry } from './sandbox/journal-entry.ts';
export { planWord } from './sandbox/keyring.ts';
export { createMock, type Mock } from './mock.ts';
export type { MockKey } from './sandbox/mock-keys.ts';
export type { MockWatcher } from './served-document/served-document.ts';
export type { MockOptions } from './served-document/options.ts';
export type { ConnectionWatcher } from './integrations/node/connection-watch.ts';
export { listen, type Listening, type ListenOptions } from './integrations/node/server.ts';
export { readParameterText } from './http/parameter-text.ts';
export { type LimitOptions } from './rate-limit/plans.ts';
export { type Reason, type Refusal, refuse } from './operation/response/refusal.ts';
export type { Parts, StateEngine, StateWrite, StoredSandbox } from './state/engine.ts';
export { type Seed } from './items/seed.ts';
export type { TlsIdentity } from './integrations/tls/certificate.ts';
