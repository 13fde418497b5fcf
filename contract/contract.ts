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
  /** The parsed document, with references unresolved. */
  readonly document: JsonObject;
  /** Path of the first server, without a trailing slash: `/v1`, or `` for none. */
  readonly basePath: string;
  readonly operations: readonly Operation[];
  /** The security of the first operation that needs a key; empty for none. */
  readonly usualSecurity: readonly SecurityAlternative[];
  /** Requests sent by the service: webhooks, and callbacks of operations; compiled on first use. */
  readonly webhooks: readonly Webhook[];
  /** The certain parts of the collections: the suite tests servers against them. */
  readonly resources: readonly Resource[];
  /** All inferred collections, with evidence: the mock serves them. */
  readonly inferredResources: readonly InferredResource[];
  /** The shape that the document's error bodies share; undefined if they have none. */
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
  /** Problems of the document found so far: what is compiled on first use is judged then. */
  readonly diagnostics: readonly Diagnostic[];
  /** The errors that were found before any schema was used: the same in every process. */
  readonly leftOut: readonly Diagnostic[];
  /**
   * Initial items of its mocks, by collection path. Only the bundled document has them, through
   * `loadBundledContract`; mocks of other documents start with their examples.
   */
  readonly inventory?: JsonObject;
}
