import {
  type Exchange,
  headerOf,
  readJson,
  type Requirement,
  requirementId,
} from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { valueAt } from '../../contract/json/place.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import { findDuplicateMember } from '../../contract/json/scan.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonEquals,
  type JsonValue,
  parseJson,
  parseJudged,
  renderJson,
} from '../../contract/json/value.ts';
import { jsonContent, memberContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import {
  documentedResponse,
  type ResponseContract,
  successResponse,
} from '../../contract/openapi/response.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { facetOf } from '../../contract/schema/keywords.ts';
import type { Issue } from '../../contract/schema/schema-node.ts';

/** A requirement that an exchange contradicts, and how. */
type Contradiction = readonly [requirement: string, exchange: number, what: string];

type Contradictions = Generator<Contradiction>;

/** The examined parts of a verdict. */
interface Judged {
  readonly requirement: Requirement;
  readonly kind: string;
  /** Of a passed one. */
  readonly exchanges?: readonly number[];
  /** Of one that is not tested. */
  readonly reason?: string;
}

/**
 * The verdicts that their log contradicts, each in a sentence: passed although a response shows the
 * contrary, passed by an exchange of another operation, or not tested for a reason that ignores what was
 * seen.
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

/** An exchange given as evidence that does not exist, or is of another operation. */
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
 * What status, headers and body of each response contradict on their own. A second, naive judge: it knows
 * no plan, intent or excuse, and shares no code with the judge of the suite.
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

/** The path of a place in a body, with every index as `[]`. */
function memberPath({ at }: Issue): readonly string[] {
  return parsePointer(at).map((step) => (/^\d+$/.test(step) ? '[]' : step));
}

/** The place that a requirement names: for an additional member, the object that contains it. */
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
      if (!schema.isValid(value)) yield [id, index, `${name}: ${text}`];
    }
  }
}

/** Every response has the rate-limit headers, and every error the error shape. */
function* contradictUnlisted(contract: Contract, shown: Shown, status: number): Contradictions {
  const { header, index, json } = shown;
  const { error, rateLimit } = contract;
  const { limit = '', remaining = '', reset = '' } = rateLimit?.headers ?? {};
  const missing = [limit, remaining, reset].filter((name) => header(name) === undefined);
  if (rateLimit !== undefined && missing.length > 0)
    yield [requirementId.rateLimit('headers'), index, `a ${status} without ${missing.join(', ')}`];
  if (error === undefined || status < 400) return;
  const isShaped = json !== undefined && error.schema.isValid(json);
  if (readMediaType(header('content-type')) !== 'application/json' || !isShaped)
    yield [requirementId.errors('shape'), index, `a ${status} in another shape`];
  const said = isJsonObject(json) ? json['status'] : undefined;
  if (isShaped && said !== status)
    yield [requirementId.errors('status'), index, `${renderJson(said ?? null)} in a ${status}`];
}

/**
 * The requirements that passed although no exchange shows it: no request of the described kind got the
 * described response. Reads only what was sent, not why.
 */
export function findUnshown(
  contract: Contract,
  exchanges: readonly Exchange[],
  verdicts: readonly Pick<Judged, 'requirement' | 'kind'>[],
): readonly string[] {
  const all = showExchanges(contract, exchanges);
  const byOperation = Map.groupBy(all, ({ operation }) => operation);
  return verdicts.flatMap(({ requirement, kind }) => {
    if (kind !== 'passed') return [];
    const operation = contract.operations.find(({ id }) => id === requirement.operation);
    const needs = needsOf(requirement, operation);
    const own = operation === undefined ? all : (byOperation.get(operation) ?? []);
    return needs.every((shows) => own.some(shows))
      ? []
      : [`${requirement.id} passed, and no exchange shows it`];
  });
}

type Shows = (shown: Shown) => boolean;

/** What must be among the exchanges, each of it once; nothing if this is not examined. */
function needsOf({ subject }: Requirement, operation: Operation | undefined): readonly Shows[] {
  if (subject.kind === 'auth') return [(shown) => showsDenial(subject.facet, shown)];
  if (operation === undefined) return [];
  switch (subject.kind) {
    case 'status': {
      const isSuccess = successResponse(operation)?.status === subject.status;
      const answered = answers(subject.status);
      return [(shown) => answered(shown) && (!isSuccess || !isBroken(shown))];
    }
    case 'request':
      return [(shown) => showsBody(subject.path, subject.facet, shown)];
    case 'parameter': {
      const parameter = operation.parameters.find(
        ({ name, in: place }) => name === subject.name && place === 'query',
      );
      return parameter === undefined ? [] : listAccepted(parameter, subject.facet);
    }
    case 'state':
      return subject.facet === 'not-written' ? [answers(String(subject.status))] : [];
    case 'header':
      return [answers(subject.status)];
    case 'body':
      if (subject.part === 'error') return [];
      if (subject.part !== 'member') return [answers(subject.status)];
      return [(shown) => isOfStatus(subject.status, shown) && hasPlace(shown.json, subject)];
    case 'client':
    case 'concurrency':
    case 'open':
    case 'rate-limit':
    case 'robustness':
      return [];
  }
}

const answers =
  (status: string): Shows =>
  (shown) =>
    isOfStatus(status, shown);

/** Whether a response is documented under a status key: `200`, `4XX` or `default`. */
function isOfStatus(wanted: string, { status, operation }: Shown): boolean {
  return status !== undefined && documentedResponse(operation, status)?.status === wanted;
}

function isServed({ credential, status = 0 }: Shown): boolean {
  return credential === 'valid' && status >= 200 && status < 400;
}

function isRefused({ credential, status = 0 }: Shown): boolean {
  return credential === 'valid' && status >= 400 && status < 500 && ![401, 429].includes(status);
}

function showsDenial(facet: string, { credential, status = 0 }: Shown): boolean {
  if (status !== 401 && status !== 403) return false;
  if (facet === 'missing') return credential === 'missing';
  return !['missing', 'valid', facet === 'exact' ? 'invalid' : ''].includes(credential);
}

/** A request with a body that the requirement describes, accepted or refused as it says. */
function showsBody(path: readonly string[], facet: string, shown: Shown): boolean {
  const { text = '', sent, operation } = shown;
  const schema = memberContent(operation)?.schema;
  if (facet === 'required' && path.length === 0) return isRefused(shown) && text === '';
  if (schema === undefined || sent === undefined) return false;
  if (facet === 'taken' || facet === 'optional') {
    const isWhole = isJsonObject(valueAt(sent, path.slice(0, -1)));
    const has = valueAt(sent, path) !== undefined;
    return isServed(shown) && isWhole && has === (facet === 'taken') && !isBroken(shown);
  }
  if (!isRefused(shown)) return false;
  const issues = schema.validate(sent, 'request');
  const isMeant = (each: (typeof issues)[number]): boolean =>
    facetOf(each.keyword) === facet && isSame(facetPath(each), path);
  return issues.some(isMeant) && issues.every((each) => isWithin(memberPath(each), path));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isWithin(one, other);
}

/** Whether one of two places equals or contains the other. */
function isWithin(one: readonly string[], other: readonly string[]): boolean {
  return one.every((step, at) => at >= other.length || step === other[at]);
}

/** Values that must be accepted, and the ways to send a list for a facet. */
function listAccepted(parameter: Parameter, facet: string): readonly Shows[] {
  const { name, schema } = parameter;
  const sends =
    (value: JsonValue): Shows =>
    (shown) =>
      isServed(shown) && !isBroken(shown) && valuesOf(parameter, shown, value);
  if (facet === 'minimum' || facet === 'maximum') {
    const value = extremeOf(schema, facet);
    return value === undefined ? [] : [sends(value)];
  }
  if (facet === 'values') return (schema.shape().values ?? []).map(sends);
  const isNamed = facet === 'bound' || facet === 'filter';
  return [(shown) => isServed(shown) && (!isNamed || shown.query.has(name))];
}

/** Whether the query has a value of a parameter; of lists and objects, only their name. */
function valuesOf(parameter: Parameter, { query }: Shown, value: JsonValue): boolean {
  const { name } = parameter;
  if (!isScalar(parameter)) return [...query.keys()].some((each) => each.startsWith(name));
  return query.getAll(name).some((text) => jsonEquals(readAs(value, text), value));
}

/** A text as a value of the same type as another. */
function readAs(value: JsonValue, text: string): JsonValue {
  const read = typeof value === 'string' ? undefined : readJson(text, parseJudged);
  return read ?? text;
}

function isScalar({ schema, mediaType }: Parameter): boolean {
  return mediaType === undefined && !schema.shape().types.some((type) => /array|object/.test(type));
}

/** Whether the sent body certainly breaks the document. */
function isBroken({ operation: { requestBody }, text = '', sent, isPlainJson }: Shown): boolean {
  if (text === '') return requestBody?.required === true && requestBody.content.length > 0;
  const schema = jsonContent(requestBody?.content ?? [])?.schema;
  if (schema === undefined || !isPlainJson) return false;
  return sent === undefined || !schema.isValid(sent, 'request');
}

/** Whether a body has the place of a facet; for `required`, the object around it. */
function hasPlace(
  body: JsonValue | undefined,
  { path, facet }: { readonly path: readonly string[]; readonly facet: string },
): boolean {
  let values: readonly (JsonValue | undefined)[] = [body];
  for (const step of facet === 'required' ? path.slice(0, -1) : path)
    values = values.flatMap((value) => stepInto(value, step));
  return values.some((value) => value !== undefined);
}

function stepInto(value: JsonValue | undefined, step: string): readonly (JsonValue | undefined)[] {
  if (step === '[]') return value !== undefined && isJsonArray(value) ? [...value] : [];
  return isJsonObject(value) ? [value[step]] : [];
}

/** One exchange as sent and received, read with the document: no intent, no probe. */
interface Shown {
  readonly index: number;
  readonly operation: Operation;
  readonly credential: Exchange['request']['credential'];
  readonly query: URLSearchParams;
  /** The sent body as text; undefined for none. */
  readonly text: string | undefined;
  /** The value of that text, as JSON or a form; undefined if it is neither. */
  readonly sent: JsonValue | undefined;
  /** Whether it was sent as JSON that every parser reads alike. */
  readonly isPlainJson: boolean;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly header: (name: string) => string | undefined;
  readonly json: JsonValue | undefined;
  /** What the document says about exactly that status. */
  readonly documented: ResponseContract | undefined;
}

/** Requests and responses in order; requests outside of all operations are omitted. */
function showExchanges(contract: Contract, exchanges: readonly Exchange[]): readonly Shown[] {
  return exchanges.flatMap((exchange) => show(contract, exchange) ?? []);
}

function show(contract: Contract, { index, request, outcome }: Exchange): Shown | undefined {
  const [path = '', search = ''] = request.target.split('?');
  // Of several matching paths, the one with more literal text is meant: `/pets/mine`, not `/pets/{id}`.
  const [operation] = contract.operations
    .filter(
      (each) =>
        each.method === request.method && compilePathMatch(each.path, 0)(path) !== undefined,
    )
    .toSorted((one, other) => lengthOfText(other) - lengthOfText(one));
  if (operation === undefined) return undefined;
  const response = outcome.kind === 'answered' ? outcome.response : undefined;
  const status = response?.status;
  const { body: text } = request;
  return {
    index,
    operation,
    credential: request.credential,
    query: new URLSearchParams(search),
    text,
    sent: readForm(operation, request) ?? readJson(text, parseJudged),
    isPlainJson: request.encoding === undefined && isPlainJson(request.headers, text),
    status,
    header: (name) => (response === undefined ? undefined : headerOf(response, name)),
    json: response?.utf8 === true ? readJson(response.body, parseJudged) : undefined,
    documented: operation.responses.find((each) => each.status === String(status)),
  };
}

/** The members of a form, each by the types of its schema; undefined for other bodies. */
function readForm(operation: Operation, { headers, body }: Exchange['request']) {
  const [, type = ''] = headers.find(([name]) => /^content-type$/i.test(name)) ?? [];
  const isInParts = /^multipart\//i.test(type);
  if (body === undefined || !(isInParts || /^application\/x-www-form/i.test(type)))
    return undefined;
  const parts = body.matchAll(/\bname="([^"]*)"[^]*?\r\n\r\n([^]*?)\r\n--/g);
  const pairs: Iterable<readonly [string, string]> = isInParts
    ? [...parts].map(([, name = '', text = '']) => [name, text] as const)
    : new URLSearchParams(body);
  const { properties } = memberContent(operation)?.schema?.shape() ?? {};
  const members = [...Map.groupBy(pairs, ([name]) => name)].map(([name, same]) => {
    const { types = [], items } = properties?.get(name)?.shape() ?? {};
    const isList = types.includes('array');
    const isText = (isList ? (items?.shape().types ?? []) : types).includes('string');
    const values = same.map(([, text]) => (isText ? text : (readJson(text, parseJudged) ?? text)));
    return [name, isList ? values : (values[0] ?? '')] as const;
  });
  return Object.fromEntries<JsonValue>(members);
}

/** Characters of a path outside of parameters. */
function lengthOfText({ path }: Operation): number {
  return path.replaceAll(/\{[^{}]*\}/g, '').length;
}

function isPlainJson(headers: Exchange['request']['headers'], text: string | undefined): boolean {
  if (text === undefined) return true;
  const types = headers.filter(([name]) => /^content-(type|encoding)$/i.test(name));
  const isJson = types.every(([, value]) => /^application\/json$/i.test(value));
  return (
    types.length > 0 &&
    isJson &&
    (readJson(text, parseJudged) === undefined || findDuplicateMember(text) === undefined)
  );
}
