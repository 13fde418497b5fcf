import type { components } from '../../mock/control/api.ts';

type Schemas = components['schemas'];

export type Mock = Schemas['Mock'];
export type Operation = Mock['operations'][number];
export type Question = Mock['questions'][number];
export type Sandbox = Schemas['Sandbox'];
export type Collection = Schemas['Collection'];
export type StoredItem = Schemas['StoredItem'];
export type Exchange = Schemas['Exchange'];
export type ExchangeDetail = Schemas['ExchangeDetail'];
export type Quota = Schemas['Quota'];
export type Fault = Schemas['Fault'];
export type FaultRule = Schemas['FaultRule'];
export type Stub = Schemas['Stub'];
export type StubRule = Schemas['StubRule'];
export type Run = Schemas['Run'];
export type RunPlan = Schemas['RunPlan'];
export type State = Schemas['State'];
export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
