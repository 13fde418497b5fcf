export { systemClock, type Clock } from './sandbox/clock.ts';
export type { ControlOptions } from './control/access.ts';
export type { ConformanceRuns, OpenConformance, ReportFormat } from './control/handlers.ts';
export type { Control } from './control/control.ts';
export { mainSandbox } from './control/declaration/sandbox-name.ts';
export type { Faults as FaultControl } from './control/fault/faults.ts';
export type { JournalWait, SandboxControl } from './control/sandbox-control.ts';
export type { Stubs as StubControl } from './control/stub/stubs.ts';
export type {
  BodyCondition,
  Comparison as RunComparison,
  Delivery as WebhookDelivery,
  Fault,
  FaultRule,
  FileStub,
  Hint,
  JournalFilter,
  Quota,
  QuotaChange,
  Run as ConformanceRun,
  RunOrder,
  RunPlan as RunPlanSummary,
  RunProgress,
  Stub,
  StubRequest,
  StubResponse,
  StubRule,
  StubScenario,
  StubWarning,
  TextCondition,
} from './control/declaration/schemas.ts';
export type { WebhookOrder } from './control/webhook/send.ts';
export {
  maxContentBytes,
  type MockResponse,
  type MockRequest,
  type RequestContent,
  type RequestHeaders,
} from './http/message.ts';
export type { MockFetch } from './integrations/fetch/fetch.ts';
export { loadBundledContract } from './package/bundled.ts';
export type { JournalEntry } from './sandbox/journal-entry.ts';
export { planPrefix, readCredential, readSecurity } from './sandbox/keyring.ts';
export { createMock, type Mock } from './mock.ts';
export type { MockKey } from './sandbox/keyring.ts';
export type { MockWatcher } from './served-document/served-document.ts';
export type { MockOptions } from './served-document/options.ts';
export type { ConnectionWatcher } from './integrations/node/connection-watch.ts';
export { listen, type Listening, type ListenOptions } from './integrations/node/server.ts';
export { type LimitOptions } from './rate-limit/plans.ts';
export { type Reason, type Refusal, refuse } from './operation/response/refusal.ts';
export type { Parts, StateEngine, StateWrite, StoredSandbox } from './state/engine.ts';
export { type Seed } from './items/seed.ts';
