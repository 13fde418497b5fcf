import type { Mock } from '../../mock/control/client.ts';

export type {
  Collection,
  Delivery,
  Exchange,
  ExchangeDetail,
  Fault,
  FaultRule,
  Mock,
  Quota,
  Run,
  RunPlan,
  Sandbox,
  State,
  StoredItem,
  Stub,
  StubRule,
  Webhook,
} from '../../mock/control/client.ts';
export type Operation = Mock['operations'][number];
export type Question = Mock['questions'][number];
