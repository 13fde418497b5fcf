export type * from './contract.ts';
export type { JsonObject, JsonValue } from './json.ts';
export {
  compareNumbers,
  isJsonArray,
  isJsonObject,
  jsonEquals,
  parseJson,
  renderJson,
} from './json.ts';
export { JsonSyntaxError } from './json-syntax.ts';
export {
  appendPointer,
  parsePointer,
  renderFragment,
  renderPointer,
  resolvePointer,
} from './pointer.ts';
export { ContractError, renderDocumentIssue } from './contract-error.ts';
export { loadContract } from './load.ts';
export type { ContractSource, LoadOptions, PassedDocument } from './load.ts';
export { isJsonMediaType } from './media-type.ts';
export { facetOf, families, obligationId } from './obligation.ts';
export { compileObligations, successStatus } from './obligations.ts';
export type { Family, Level, Obligation } from './obligation.ts';
export { sectionOf } from './section.ts';
