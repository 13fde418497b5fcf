export type { Contract } from './contract.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticLevel,
  renderDiagnostic,
} from './source/diagnostic.ts';
export {
  type Issue,
  possibleDefault,
  type SchemaJudgement,
  type SchemaNode,
  type Shape,
  type ShapeLimit,
  type Undecided,
} from './schema/schema-node.ts';
export type { WrongValue } from './schema/keyword/keyword.ts';
export type { JsonType } from './schema/keyword/value-kind.ts';
export { facetOf } from './schema/keywords.ts';
export type {
  ConstantParameter,
  Deprecation,
  Operation,
  RequestBody,
  Webhook,
} from './openapi/operation.ts';
export { isContentIgnored, listConstants } from './openapi/operation.ts';
export type { Parameter } from './openapi/parameter.ts';
export {
  compilePathMatch,
  encodePathText,
  escapePattern,
  type MatchPath,
  withoutQuery,
} from './openapi/path-pattern.ts';
export { addAll, largest, smallest } from './list/list.ts';
export { findForeignPage, isLoopback, isOwnHost } from './http/address.ts';
export { trimEnd } from './http/address.ts';
export { withoutUser } from './http/address.ts';
export {
  documentedResponse,
  type ResponseContract,
  successResponse,
  successStatus,
} from './openapi/response.ts';
export { isFieldName, isFieldValue, type HeaderContract } from './openapi/header.ts';
export {
  isCredential,
  renderCredential,
  type Credential,
  type CredentialField,
  type SecurityAlternative,
  type SecurityScheme,
} from './openapi/credential.ts';
export type { RatePlan, RateLimitHeaderNames, RateLimitPolicy } from './openapi/rate-limit.ts';
export {
  isBodyOpen,
  openMember,
  type Choice,
  type OpenQuestion,
  type OpenQuestionKind,
} from './openapi/open-question.ts';
export type { ErrorRole, ErrorShape } from './openapi/error-shape.ts';
export { answersItem, type PageLimit, type Resource } from './resource/resource.ts';
export { extremeOf } from './schema/extreme.ts';
export type {
  Evidence,
  InferredOperation,
  InferredResource,
  InferredRole,
  ItemView,
} from './resource/resource.ts';
export { membersOf } from './resource/item-view.ts';
export {
  findPageParameters,
  isTextParameter,
  type PageParameters,
} from './resource/page-parameters.ts';
export { lastWord, memberNamed, plainName, singularNames } from './resource/names.ts';
export { createPattern, isLargePattern } from './pattern/pattern.ts';
export { renderCanonicalJson } from './json/canonical.ts';
export { canonicalInteger } from './json/number.ts';
export { findDuplicateMember } from './json/scan.ts';
export {
  addMember,
  isJsonArray,
  isJsonObject,
  isNumeric,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  ownMember,
  isTooDeep,
  maximumDepth,
  parseJson,
  parseJudged,
  renderJson,
} from './json/value.ts';
export { JsonSyntaxError } from './json/scan.ts';
export * as codec from './json/codec.ts';
export type { Codec, TypeOf } from './json/codec.ts';
export { type OptionNames, refuseNoContract, refuseUnknownOptions } from './error/api-arguments.ts';
export { type ErrorCode, hasCode, PetstoreError } from './error/petstore-error.ts';
export { explainUnknown, nearestName, suggestName, unknownName } from './error/unknown-name.ts';
export { appendPointer, parsePointer, renderPointer, resolvePointer } from './json/pointer.ts';
export { ContractError, renderRefusal } from './source/diagnostic.ts';
export { decodePercent } from './source/percent.ts';
export {
  loadContract,
  type ContractSource,
  type LoadOptions,
  type PassedDocument,
} from './load.ts';
export { findContent, isJsonMediaType, jsonContent, type MediaType } from './openapi/media-type.ts';
export { families, requirementId } from './requirement/requirement.ts';
export {
  isBreakable,
  isOpenIdentifier,
  refusalStatus,
  refusalStatuses,
} from './requirement/reachable-responses.ts';
export type { Family, Level, ParameterFacet, Requirement } from './requirement/requirement.ts';
export { sectionOf } from './source/section.ts';
export { createRandom, hashText, type Random } from './sample/random.ts';
export { parseValueText, readText } from './source/text.ts';
export { renderYaml } from './source/yaml.ts';
export { sampleSchema } from './sample/sample.ts';
