export type { Contract } from './contract.ts';
export { type ErrorCode, hasCode, PetstoreError } from './error/petstore-error.ts';
export { type ContractSource, loadContract, type LoadOptions } from './load.ts';
export {
  ContractError,
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticLevel,
  renderDiagnostic,
} from './source/diagnostic.ts';
