/**
 * One requirement of the contract that a target can be held to: a family, a place in the document, a
 * sentence. Ids are stable: never reused for another promise, pinned by a snapshot.
 */
export interface Requirement {
  /**
   * `{operationId}/{facet}`, or a star in the place of the operation for a requirement of the whole
   * service.
   */
  readonly id: string;
  readonly family: Family;
  /** `operationId`, or `*`. */
  readonly operation: string;
  readonly level: Level;
  /** The requirement in one sentence. */
  readonly sentence: string;
  /** JSON pointer into the document. */
  readonly pointer: string;
  /**
   * Section of the service interface, from the nearest `x-source`; empty where the document has
   * none.
   */
  readonly section: string;
}

/** A requirement before its section is looked up and its level settled. */
export interface RequirementDraft {
  readonly id: string;
  readonly family: Family;
  readonly operation: string;
  readonly sentence: string;
  readonly pointer: string;
  /** Default `must`. */
  readonly level?: Level;
}

/**
 * `must`: breaking it is a violation. `should`: reported, never failed. `open`: the document is
 * silent; what is done is recorded.
 */
export type Level = 'must' | 'should' | 'open';

export type Family =
  | 'status'
  | 'body'
  | 'header'
  | 'request'
  | 'parameter'
  | 'state'
  | 'auth'
  | 'rate-limit'
  | 'concurrency'
  | 'robustness'
  | 'open';

/** All families, in the order of reports. */
export const families: readonly Family[] = [
  'status',
  'body',
  'header',
  'request',
  'parameter',
  'state',
  'auth',
  'rate-limit',
  'concurrency',
  'robustness',
  'open',
];

/**
 * A member of a JSON body as a requirement names it: `name`, `[].status`, `owner.address`. Empty
 * for the whole body.
 */
export type BodyPath = readonly string[];

/**
 * Renders a body path with its facet: `body[].name.required`, `body.type`. `[]` stands for every
 * item of an array.
 */
export function renderFacet(path: BodyPath, facet: string): string {
  const steps = path.map((step) => (step === '[]' ? step : `.${step}`));
  return `body${steps.join('')}.${facet}`;
}

/** Builds the ids of requirements; the one place that knows their form. */
export const requirementId = {
  status: (operation: string, status: number | string) => `${operation}/status.${status}`,
  contentType: (operation: string, status: string) =>
    `${operation}/response.${status}.content-type`,
  body: (operation: string, status: string) => `${operation}/response.${status}.body`,
  bodyFacet: (operation: string, status: string, path: BodyPath, facet: string) =>
    `${operation}/response.${status}.${renderFacet(path, facet)}`,
  header: (operation: string, status: string, name: string) =>
    `${operation}/response.${status}.header.${name}`,
  requestBody: (operation: string) => `${operation}/request.body.required`,
  requestFacet: (operation: string, path: BodyPath, facet: string) =>
    `${operation}/request.${renderFacet(path, facet)}`,
  parameter: (operation: string, name: string, facet: string) =>
    `${operation}/parameter.${name}.${facet}`,
  state: (operation: string, facet: string) => `${operation}/state.${facet}`,
  auth: (operation: string, facet: 'missing' | 'invalid' | 'scheme' | 'exact') =>
    `${operation}/auth.${facet}`,
  rateLimit: (facet: string) => `*/rate-limit.${facet}`,
  concurrency: (operation: string, facet: string) => `${operation}/concurrency.${facet}`,
  robustness: (operation: string, facet: string) => `${operation}/robustness.${facet}`,
  errors: (facet: string) => `*/errors.${facet}`,
  open: (question: string) => `*/open.${question}`,
} as const;
