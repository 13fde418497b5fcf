export type * from './contract.ts';
export type { JsonObject, JsonValue } from './json.ts';
export type { Obligation } from './obligation.ts';
