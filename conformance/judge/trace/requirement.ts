import { cut } from '../../../contract/schema/keyword/wording.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';

/** One requirement of the contract: a place in the document and a sentence. Ids are stable. */
export interface Requirement {
  /** `{operationId}/{facet}`; a star for the operation where it is about the whole service. */
  readonly id: string;
  readonly family: Family;
  /** `operationId`, or `*`. */
  readonly operation: string;
  /** The content of the id as data, so that no code has to parse ids. */
  readonly subject: Subject | ClientSubject;
  readonly level: Level;
  readonly sentence: string;
  readonly pointer: string;
  /** Section of the interface, from the nearest `x-source`; empty for none. */
  readonly section: string;
}

/** A rule for clients. */
export interface ClientSubject {
  readonly kind: 'client';
  /** False if the client did nothing that the rule is about. */
  readonly applies: boolean;
}

/** All requirements of a contract, by id, in the order of reports. */
export type Requirements = ReadonlyMap<string, Requirement>;

/**
 * Requirements of a contract. Beyond that, single members of bodies have none of their own: they
 * belong to the requirements of the whole body and of the status.
 */
export const maxRequirements = 30_000;

/** A requirement before its id, its family and its section are looked up. */
export type Draft = Pick<Requirement, 'operation' | 'sentence' | 'pointer' | 'level'> & {
  readonly subject: Subject;
};

/** The requirements of one family, in the order of reports. */
export type Drafts = Generator<Draft>;

/** Drafts requirements of one operation: by default at its own place, and for targets to keep. */
export function draftsOf({ id, pointer }: Pick<Operation, 'id' | 'pointer'>) {
  return (subject: Subject, sentence: string, at = pointer, level: Level = 'must'): Draft => ({
    operation: id,
    subject,
    sentence: cut(sentence, longestSentence),
    pointer: at,
    level,
  });
}

/** Longest sentence in characters. Names and values from the document may be of any length. */
const longestSentence = 2_000;

/** `must`: a target that breaks it fails. `should`: reported only. `open`: recorded only. */
export type Level = 'must' | 'should' | 'open';

export const families = [
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
] as const;

export type Family = (typeof families)[number];

export type Subject =
  | { readonly kind: 'status'; readonly status: string }
  | BodySubject
  | { readonly kind: 'header'; readonly status: string; readonly name: string }
  /** `path` is empty for the whole body. */
  | { readonly kind: 'request'; readonly path: BodyPath; readonly facet: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly facet: ParameterFacet }
  | ({ readonly kind: 'state' } & StateFacet)
  | { readonly kind: 'auth'; readonly facet: AuthFacet }
  | { readonly kind: 'rate-limit'; readonly facet: RateLimitFacet }
  | { readonly kind: 'concurrency'; readonly facet: 'unique' | 'stored' }
  | { readonly kind: 'robustness'; readonly facet: 'answered' | 'no-server-error' }
  | { readonly kind: 'open'; readonly question: string };

/** The content type, the whole or a member of a documented body; the shape of any other error. */
type BodySubject = { readonly kind: 'body' } & (
  | { readonly part: 'content-type' | 'whole'; readonly status: string }
  | {
      readonly part: 'member';
      readonly status: string;
      readonly path: BodyPath;
      readonly facet: string;
    }
  | { readonly part: 'error'; readonly facet: ErrorFacet }
);

/**
 * `listed`: a response that no request provokes matches its description. `shape`, `status`: errors
 * with a status that the operation does not list.
 */
type ErrorFacet = 'shape' | 'status' | 'listed';

/** `member`: the one that is compared. `status`: of the refusal that must store nothing. */
export type StateFacet =
  | { readonly facet: 'echo' | 'read' | 'spaces'; readonly member: string }
  | { readonly facet: 'not-written'; readonly status: 400 | 401 | 422 }
  | {
      readonly facet:
        | 'distinct'
        | 'listed'
        | 'own-parent'
        | 'id-unique'
        | 'id-fresh'
        | 'id-assigned'
        | 'readable'
        | 'stored'
        | 'created'
        | 'id-kept'
        | 'others-kept'
        | 'removed';
    };

type AuthFacet = 'missing' | 'invalid' | 'scheme' | 'exact';

/** `minimum`, `maximum` and `values` are about accepted values, the others about listed items. */
export type ParameterFacet =
  | 'minimum'
  | 'maximum'
  | 'values'
  | 'bound'
  | 'filled'
  | 'next'
  | 'default'
  | 'filter';

export type RateLimitFacet =
  | 'headers'
  | 'remaining-within-limit'
  | 'remaining-counts'
  | 'remaining-monotonic'
  | 'reset-plausible'
  | 'plan'
  | 'exceeded'
  | 'retry-after'
  | 'returns';

/** A member of a JSON body: `name`, `[].status`, `owner.address`. Empty for the whole body. */
export type BodyPath = readonly string[];

/** A body path with its facet: `body[].name.required`. `[]` means every item. */
function renderFacet(path: BodyPath, facet: string): string {
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
  requestBody: (operation: string) => requirementId.requestFacet(operation, [], 'required'),
  requestFacet: (operation: string, path: BodyPath, facet: string) =>
    `${operation}/request.${renderFacet(path, facet)}`,
  parameter: (operation: string, name: string, facet: ParameterFacet) =>
    `${operation}/parameter.${name}.${facet}`,
  state: (operation: string, facet: string) => `${operation}/state.${facet}`,
  auth: (operation: string, facet: AuthFacet) => `${operation}/auth.${facet}`,
  rateLimit: (facet: RateLimitFacet) => `*/rate-limit.${facet}`,
  concurrency: (operation: string, facet: 'unique' | 'stored') =>
    `${operation}/concurrency.${facet}`,
  robustness: (operation: string, facet: 'answered' | 'no-server-error') =>
    `${operation}/robustness.${facet}`,
  errors: (facet: ErrorFacet) => `*/errors.${facet}`,
  open: (question: string) => `*/open.${question}`,
} as const;

export function renderRequirementId(operation: string, subject: Subject): string {
  switch (subject.kind) {
    case 'status':
      return requirementId.status(operation, subject.status);
    case 'body':
      if (subject.part === 'error') return requirementId.errors(subject.facet);
      if (subject.part === 'member')
        return requirementId.bodyFacet(operation, subject.status, subject.path, subject.facet);
      return requirementId[subject.part === 'whole' ? 'body' : 'contentType'](
        operation,
        subject.status,
      );
    case 'header':
      return requirementId.header(operation, subject.status, subject.name);
    case 'request':
      return requirementId.requestFacet(operation, subject.path, subject.facet);
    case 'parameter':
      return requirementId.parameter(operation, subject.name, subject.facet);
    case 'open':
      return requirementId.open(subject.question);
    case 'state':
    case 'auth':
    case 'rate-limit':
    case 'concurrency':
    case 'robustness': {
      const { kind, facet } = subject;
      const end = 'member' in subject ? `.${subject.member}` : '';
      const status = 'status' in subject ? `.${subject.status}` : '';
      return `${operation}/${kind}.${facet}${end}${status}`;
    }
  }
}
