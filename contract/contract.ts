import type { Diagnostic } from './source/diagnostic.ts';
import type { Operation, Webhook } from './openapi/operation.ts';
import type { RateLimitPolicy } from './openapi/rate-limit.ts';
import type { SecurityAlternative } from './openapi/credential.ts';
import type { OpenQuestion } from './openapi/open-question.ts';
import type { ErrorShape } from './openapi/error-shape.ts';
import type { InferredResource, Resource } from './resource/resource.ts';
import type { JsonObject } from './json/value.ts';

/** One OpenAPI document, read once and compiled. A pure value; mock and suite share it. */
export interface Contract {
  readonly title: string;
  /** `info.version` of the document. */
  readonly version: string;
  /** Where the document came from: a file name, or `<text>`. */
  readonly source: string;
  /** SHA-256 of the document's text, hexadecimal. */
  readonly digest: string;
  /** The document as parsed, references unresolved. */
  readonly document: JsonObject;
  /** Path of the first server, without a slash at its end: `/v1`, or `` for none. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  /** What most callers show: the security of the first operation that wants a key; empty for none. */
  readonly usualSecurity: readonly SecurityAlternative[];
  /** What the service sends: webhooks, and callbacks of operations; compiled when first asked for. */
  readonly webhooks: readonly Webhook[];
  /** What is certain of the collections: the suite tests servers against it. */
  readonly resources: readonly Resource[];
  /** All collections as they seem to be, with evidence: the mock serves them. */
  readonly inferredResources: readonly InferredResource[];
  /** The shape that the document's error bodies share; undefined if they have none. */
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
  /** What is wrong with the document, found so far: what is compiled when used is judged then. */
  readonly diagnostics: readonly Diagnostic[];
  /** The errors among them that were there before any schema was used: the same in every process. */
  readonly leftOut: readonly Diagnostic[];
  /**
   * Items that a mock of it starts with unless it is given others, by collection path. Only the document of
   * this package has them, as `loadBundledContract` loads it; mocks of others start with their examples.
   */
  readonly inventory?: JsonObject;
}
