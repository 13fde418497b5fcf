import {
  type Exchange,
  headerOf,
  readJson,
  type Requirement,
  requirementId,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import {
  isJsonObject,
  type JsonValue,
  parseJson,
  parseJudged,
  renderJson,
} from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse, type ResponseContract } from '../../contract/openapi/response.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';

/** A requirement that an exchange contradicts, and how. */
type Contradiction = readonly [requirement: string, exchange: number, what: string];

type Contradictions = Generator<Contradiction>;

/** What is looked at of a verdict. */
interface Judged {
  readonly requirement: Requirement;
  readonly kind: string;
  /** Of one that is passed. */
  readonly exchanges?: readonly number[];
  /** Of one that is not tested. */
  readonly reason?: string;
}

/**
 * The verdicts that their log contradicts, each in a sentence: passed though a response shows the
 * contrary, passed by an exchange of another operation, or not tested without a word of what was seen.
 */
export function findUnfounded(
  contract: Contract,
  exchanges: readonly Exchange[],
  verdicts: readonly Judged[],
): readonly string[] {
  const contradictions = Map.groupBy(findContradictions(contract, exchanges), ([id]) => id);
  return verdicts.flatMap((verdict) => {
    const { requirement, kind, reason = '' } = verdict;
    const [first] = contradictions.get(requirement.id) ?? [];
    const isReported = /^request \d+: /.test(reason) || reason.includes('left out');
    const isAgainst = kind === 'passed' || (kind === 'not-tested' && !isReported);
    if (first !== undefined && isAgainst)
      return [`${requirement.id} ${kind} against exchange ${first[1]}: ${first[2]}`];
    const strange = findStrange(verdict, exchanges);
    return strange === undefined
      ? []
      : [`${requirement.id} passed by exchange ${strange}, which does not prove it`];
  });
}

/** An exchange that is named as a proof and is not there, or is of another operation. */
function findStrange(
  { requirement: { operation, family }, exchanges: proofs = [] }: Judged,
  exchanges: readonly Exchange[],
): number | undefined {
  const isAny = operation === '*' || family === 'state' || family === 'concurrency';
  return proofs.find((index) => {
    const sender = exchanges[index]?.request.operation;
    return isAny ? sender === undefined : sender !== operation;
  });
}

/**
 * What status, headers and body of each response contradict by themselves. A second, naive judge: it
 * knows no plan, no intent and no excuse, and shares no code with the judge of the suite.
 */
export function* findContradictions(
  contract: Contract,
  exchanges: readonly Exchange[],
): Contradictions {
  for (const shown of showExchanges(contract, exchanges)) {
    const { operation, index, status } = shown;
    if (status === undefined) {
      yield [requirementId.robustness(operation.id, 'answered'), index, 'no response'];
      continue;
    }
    if (status >= 500)
      yield [requirementId.robustness(operation.id, 'no-server-error'), index, `a ${status}`];
    yield* contradictBody(shown);
    yield* contradictHeaders(shown);
    if (shown.documented === undefined) yield* contradictUnlisted(contract, shown, status);
  }
}

function* contradictBody({ operation, documented, header, index, json }: Shown): Contradictions {
  if (documented === undefined || documented.content.length === 0) return;
  const { status } = documented;
  const type = readMediaType(header('content-type'));
  const media = documented.content.find(({ mediaType }) => mediaType === type);
  if (media === undefined) yield [requirementId.contentType(operation.id, status), index, type];
  const schema = (media ?? documented.content[0])?.schema;
  const whole = requirementId.body(operation.id, status);
  if (json === undefined) yield [whole, index, 'no JSON'];
  else
    for (const issue of schema?.validate(json) ?? []) {
      const path = facetPath(issue);
      const facet = facetOf(issue.keyword);
      if (facet !== undefined)
        yield [requirementId.bodyFacet(operation.id, status, path, facet), index, issue.message];
      yield [whole, index, `${issue.at} ${issue.message}`];
    }
}

function readMediaType(text = 'no content type'): string {
  return text.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The members of a place in a body, every position as `[]`. */
function memberPath({ at }: Issue): readonly string[] {
  return parsePointer(at).map((step) => (/^\d+$/.test(step) ? '[]' : step));
}

/** The place that a requirement names: of a member too many, what it is a member of. */
function facetPath(issue: Issue): readonly string[] {
  const path = memberPath(issue);
  return facetOf(issue.keyword) === 'additional' ? path.slice(0, -1) : path;
}

function* contradictHeaders({ operation, documented, header, index }: Shown): Contradictions {
  for (const { name, schema } of documented?.headers ?? []) {
    const id = requirementId.header(operation.id, documented?.status ?? '', name);
    const text = header(name);
    if (text === undefined) yield [id, index, `no ${name}`];
    else if (schema !== undefined) {
      const isNumber = schema.shape().types.some((type) => type === 'integer' || type === 'number');
      const value: JsonValue = isNumber && /^-?\d+(\.\d+)?$/.test(text) ? parseJson(text) : text;
      if (schema.validate(value).length > 0) yield [id, index, `${name}: ${text}`];
    }
  }
}

/** Every response has the headers of the limit, and every error the shape of an error. */
function* contradictUnlisted(contract: Contract, shown: Shown, status: number): Contradictions {
  const { header, index, json } = shown;
  const { error, rateLimit } = contract;
  const { limit = '', remaining = '', reset = '' } = rateLimit?.headers ?? {};
  const missing = [limit, remaining, reset].filter((name) => header(name) === undefined);
  if (rateLimit !== undefined && missing.length > 0)
    yield [requirementId.rateLimit('headers'), index, `a ${status} without ${missing.join(', ')}`];
  if (error === undefined || status < 400) return;
  const isShaped = json !== undefined && error.schema.validate(json).length === 0;
  if (readMediaType(header('content-type')) !== 'application/json' || !isShaped)
    yield [requirementId.errors('shape'), index, `a ${status} in another shape`];
  const said = isJsonObject(json) ? json['status'] : undefined;
  if (isShaped && said !== status)
    yield [requirementId.errors('status'), index, `${renderJson(said ?? null)} in a ${status}`];
}

/**
 * The requirements that passed although no exchange shows what they say: no request was what they are
 * about and got the response that they name. Reads what was sent, and nothing of why.
 */
export function findUnshown(
  contract: Contract,
  exchanges: readonly Exchange[],
  verdicts: readonly Pick<Judged, 'requirement' | 'kind'>[],
): readonly string[] {
  const all = showExchanges(contract, exchanges);
  return verdicts.flatMap(({ requirement: { id, subject, operation }, kind }) => {
    const own = operation === '*' ? all : all.filter((shown) => shown.operation.id === operation);
    return kind !== 'passed' || own.some((shown) => isShownBy(shown, subject))
      ? []
      : [`${id} passed, and no exchange shows it`];
  });
}

/** Whether an exchange shows what a requirement says; true of requirements that are not looked at. */
function isShownBy(shown: Shown, subject: Requirement['subject']): boolean {
  const { credential, status = 0, query } = shown;
  const isServed = credential === 'valid' && status >= 200 && status < 400;
  switch (subject.kind) {
    case 'auth':
      return (
        (status === 401 || status === 403) &&
        credential !== 'valid' &&
        (credential === 'missing') === (subject.facet === 'missing')
      );
    case 'status':
    case 'header':
      return isOfStatus(subject.status, shown);
    case 'body':
      return subject.part === 'error' || isOfStatus(subject.status, shown);
    case 'state':
      return subject.facet !== 'not-written' || isOfStatus(String(subject.status), shown);
    case 'parameter':
      if (!/^(minimum|maximum|values|bound|filter)$/.test(subject.facet)) return isServed;
      return isServed && [...query.keys()].some((name) => name.startsWith(subject.name));
    case 'request':
      if (subject.facet === 'taken' || subject.facet === 'optional')
        return isServed && shown.sent !== undefined;
      return credential === 'valid' && status >= 400 && status < 500 && isBrokenAt(subject, shown);
    case 'client':
    case 'concurrency':
    case 'open':
    case 'rate-limit':
    case 'robustness':
      return true;
  }
}

/** Whether a response is described under a status of the document: `200`, `4XX` or `default`. */
function isOfStatus(wanted: string, { status, operation }: Shown): boolean {
  return status !== undefined && documentedResponse(operation, status)?.status === wanted;
}

/** Whether the body that was sent breaks a facet. */
function isBrokenAt(
  { path, facet }: { readonly path: readonly string[]; readonly facet: string },
  { sent, hasBody, operation }: Shown,
): boolean {
  if (facet === 'required' && path.length === 0) return !hasBody;
  const schema = jsonContent(operation.requestBody?.content ?? [])?.schema;
  const issues = sent === undefined ? [] : (schema?.validate(sent, 'request') ?? []);
  return issues.some(
    (issue) => facetOf(issue.keyword) === facet && facetPath(issue).join('/') === path.join('/'),
  );
}

/** One exchange as the wire showed it, in the light of the document: no intent, no probe. */
interface Shown {
  readonly index: number;
  readonly operation: Operation;
  readonly credential: Exchange['request']['credential'];
  readonly query: URLSearchParams;
  readonly hasBody: boolean;
  /** The body that was sent; undefined where it is not JSON. */
  readonly sent: JsonValue | undefined;
  /** Undefined where no response came. */
  readonly status: number | undefined;
  readonly header: (name: string) => string | undefined;
  readonly json: JsonValue | undefined;
  /** What the document says of that very status. */
  readonly documented: ResponseContract | undefined;
}

/** What was sent and what came back, in order; requests to no operation are left out. */
function showExchanges(contract: Contract, exchanges: readonly Exchange[]): readonly Shown[] {
  return exchanges.flatMap(({ index, request, outcome }) => {
    const operation = contract.operations.find(({ id }) => id === request.operation);
    if (operation === undefined) return [];
    const response = outcome.kind === 'answered' ? outcome.response : undefined;
    const status = response?.status;
    return {
      index,
      operation,
      credential: request.credential,
      query: new URLSearchParams(request.target.split('?')[1]),
      hasBody: (request.body ?? '') !== '',
      sent: readJson(request.body, parseJudged),
      status,
      header: (name) => (response === undefined ? undefined : headerOf(response, name)),
      json: response?.utf8 === true ? readJson(response.body, parseJudged) : undefined,
      documented: operation.responses.find((each) => each.status === String(status)),
    };
  });
}
