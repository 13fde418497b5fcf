import type { JsonObject, JsonValue } from './json.ts';
import type { Obligation } from './obligation.ts';

/**
 * The contract: one OpenAPI document, read once and compiled. A pure value; both the mock and the
 * suite work from it and neither reads the document again.
 */
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
  readonly resources: readonly Resource[];
  /**
   * The shape of error bodies that the document's error responses share; undefined where they have
   * none.
   */
  readonly error: ErrorShape | undefined;
  readonly rateLimit: RateLimitPolicy | undefined;
  readonly openQuestions: readonly OpenQuestion[];
  readonly obligations: readonly Obligation[];
  /**
   * Things in the document that are lawful OpenAPI but doubtful, such as a 429 without
   * `Retry-After`.
   */
  readonly warnings: readonly DocumentIssue[];
}

/** One finding about the document itself. */
export interface DocumentIssue {
  readonly source: string;
  /** JSON pointer into the document, `#/...`. */
  readonly pointer: string;
  readonly reason: string;
}

export type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE';

export interface Operation {
  /** `operationId`, or `METHOD /path` where the document gives none. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path template relative to the base path: `/pets/{petId}`. */
  readonly path: string;
  readonly pointer: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: readonly ResponseContract[];
  readonly credential: Credential;
  readonly deprecation: Deprecation | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required: boolean;
  readonly schema: SchemaNode;
  readonly pointer: string;
  /** Examples of the document that fit the schema. */
  readonly examples: readonly JsonValue[];
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

export interface MediaType {
  /** Lower case, without parameters: `application/json`. */
  readonly mediaType: string;
  readonly schema: SchemaNode | undefined;
  readonly examples: readonly NamedExample[];
  readonly pointer: string;
}

export interface NamedExample {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
}

export interface ResponseContract {
  /** `200`, `4XX` or `default`, as the document has it. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly HeaderContract[];
  /** Empty where the document promises no body. */
  readonly content: readonly MediaType[];
  readonly pointer: string;
}

export interface HeaderContract {
  /** As the document spells it; compare without case (RFC 9110 section 5.1). */
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode | undefined;
  readonly pointer: string;
}

/** How a caller proves who it is. Only what HTTP carries in one header, query member or cookie. */
export type Credential =
  | { readonly kind: 'none' }
  /** `Authorization: Bearer <key>` (RFC 6750 section 2.1). */
  | { readonly kind: 'bearer'; readonly pointer: string }
  | {
      readonly kind: 'api-key';
      readonly in: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly pointer: string;
    };

export interface Deprecation {
  /**
   * The day the operation goes away, `YYYY-MM-DD` (`x-sunset`); undefined where the document gives
   * none.
   */
  readonly sunset: string | undefined;
  /**
   * The day it was deprecated (`x-deprecated-since`); RFC 9745 wants a date, so no date means no
   * header.
   */
  readonly since: string | undefined;
  /** Id of the operation that replaces it (`x-successor`). */
  readonly successor: string | undefined;
}

/**
 * A schema of the document, with its compiled validator. `schema` has every `$ref` resolved lazily
 * through `resolve`; validation is exact for integers of any size.
 */
export interface SchemaNode {
  /**
   * JSON pointer of the schema, `#/components/schemas/Pet`, following references to where it is
   * defined.
   */
  readonly pointer: string;
  /** The schema itself; a `$ref` at its top is already followed, nested ones are not. */
  readonly schema: JsonObject | boolean;
  /** Validates a value. Empty: it fits. All errors, not only the first. Never throws. */
  readonly validate: (value: JsonValue) => readonly Issue[];
  /** The view without `$ref` and `allOf`: what a value of this schema looks like. */
  readonly shape: () => Shape;
}

/** Where and why a value breaks a schema. Data; the words are in `message`. */
export interface Issue {
  /**
   * JSON pointer into the value, `` for the whole (RFC 6901). For `required`, the missing member is
   * included.
   */
  readonly at: string;
  /**
   * The JSON Schema keyword that refused it: `required`, `type`, `enum`, `minimum`, `format`, ...
   */
  readonly keyword: string;
  /** JSON pointer into the document of that keyword. */
  readonly schemaPointer: string;
  /** For people, complete and without the value's path: `must be one of "a", "b"`. */
  readonly message: string;
}

/**
 * A schema seen as a shape: references followed and `allOf` merged. A union (`oneOf`, `anyOf`)
 * keeps its alternatives. What this view does not name stays in `schema` for the validator.
 */
export interface Shape {
  /** JSON types allowed, all seven if the schema does not say. */
  readonly types: readonly JsonType[];
  readonly format: string | undefined;
  /** From `enum` and `const`; undefined where neither is. */
  readonly values: readonly JsonValue[] | undefined;
  readonly minimum: Bound | undefined;
  readonly maximum: Bound | undefined;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** False: none beyond `properties`. */
  readonly additional: SchemaNode | boolean;
  readonly items: SchemaNode | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly alternatives: readonly SchemaNode[];
  readonly default: JsonValue | undefined;
  readonly examples: readonly JsonValue[];
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export interface Bound {
  readonly value: number | bigint;
  readonly exclusive: boolean;
}

/**
 * A collection of items that operations list, create, get, replace, update and remove. Inferred.
 */
export interface Resource {
  /** The collection's path: `/pets`. */
  readonly collectionPath: string;
  /** `/pets/{petId}`; undefined where the document has no item path. */
  readonly itemPath: string | undefined;
  /** An item as answered. */
  readonly item: SchemaNode;
  /** The property that names an item: `id`. */
  readonly idProperty: string;
  /** The path parameter that stands for it: `petId`. */
  readonly idParameter: Parameter | undefined;
  readonly list: Operation;
  readonly create: Operation | undefined;
  readonly get: Operation | undefined;
  readonly replace: Operation | undefined;
  readonly update: Operation | undefined;
  readonly remove: Operation | undefined;
  /** Query parameters of the list that keep items whose property equals them. */
  readonly filters: readonly { readonly parameter: Parameter; readonly property: string }[];
  /** The query parameter that bounds the number of items answered. */
  readonly limit: PageLimit | undefined;
}

export interface PageLimit {
  readonly parameter: Parameter;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly default: number | undefined;
}

/** The error body and what each of its properties stands for, so that a server can fill it in. */
export interface ErrorShape {
  readonly schema: SchemaNode;
  readonly members: readonly { readonly name: string; readonly role: ErrorRole }[];
}

/**
 * `status`: the HTTP status as a number; `message`: words for people; `code`: a word for machines;
 * `other`: from the schema.
 */
export type ErrorRole = 'status' | 'message' | 'code' | 'other';

/** `x-rate-limit` of the document. */
export interface RateLimitPolicy {
  /** HTTP status of a request over the limit: 429 (RFC 6585 section 4). */
  readonly status: number;
  readonly headers: RateLimitHeaderNames;
  /** Shortest first. */
  readonly windows: readonly RateLimitWindow[];
  readonly plans: readonly Plan[];
  /** The document allows bans of keys that go on after a 429. */
  readonly bans: boolean;
  readonly pointer: string;
}

export interface RateLimitHeaderNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
  readonly retryAfter: string;
}

export interface RateLimitWindow {
  readonly name: string;
  readonly seconds: number;
}

export interface Plan {
  readonly name: string;
  /** Requests for each window by name; undefined: set by configuration (`custom`). */
  readonly limits: ReadonlyMap<string, number> | undefined;
}

/**
 * One entry of `x-unspecified`: what the interface leaves open, and what servers may lawfully do.
 */
export interface OpenQuestion {
  readonly id: string;
  /** What the engine knows it as; see `docs/extensions.md`. */
  readonly kind: string;
  /** Section of the interface. */
  readonly source: string;
  /** JSON pointer of the place in the document that is open. */
  readonly at: string;
  readonly question: string;
  readonly choices: readonly Choice[];
  /** Id of the choice that the mock makes unless told otherwise. */
  readonly default: string;
  /** Members of the entry that only its kind knows, such as `paths`. */
  readonly details: JsonObject;
}

export interface Choice {
  readonly id: string;
  readonly description: string;
  /** Members that only the question's kind knows, such as `minLength`. */
  readonly details: JsonObject;
}
