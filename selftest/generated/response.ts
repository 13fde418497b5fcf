import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { documentedResponse } from '../../contract/openapi/response.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import {
  headerOf,
  listRequirements,
  isReachable,
  type Requirement,
} from '../../conformance/index.ts';
import {
  changeAt,
  changeBody,
  changeHeader,
  type Fault,
  type Faults,
  type Layer,
  replying,
  type Reply,
  type Subject,
  type FaultContext,
} from './layer.ts';
import { schemaPointer } from './schema-check.ts';

/** Changes every response of an operation that is documented under a status. */
function changing(operation: Operation, status: string, change: (reply: Reply) => Reply) {
  return (): Layer =>
    replying((reply, call) =>
      call.operation === operation && documentedResponse(operation, reply.status)?.status === status
        ? change(reply)
        : reply,
    );
}

/** Returns another status than the documented one. */
export function* breakStatus(
  { status }: Subject<'status'>,
  operation: Operation,
  context: FaultContext,
): Faults {
  const isListed = (code: number): boolean => documentedResponse(operation, code) !== undefined;
  const isSuccess = !status.startsWith('4');
  const others = isSuccess ? [200, 201, 202, 203, 206, 418, 500] : [400, 410, 204, 500];
  const other = others.find((code) => !isListed(code)) ?? 500;
  // A documented refusal may have a reason that is not visible.
  for (const code of [other, isSuccess ? 404 : 200]) {
    // An item that was never mentioned need not exist.
    const isUnknown = operation.path.includes('{') && context.collectionOf(operation) === undefined;
    if (isSuccess && code === 404 && (isListed(404) || isUnknown)) continue;
    yield [
      `returns ${code} instead of ${status}`,
      changing(operation, status, (reply) => ({ ...reply, status: code })),
    ];
  }
}

/** Omits a header, or sends a value that its schema rejects. */
export function* breakHeader(
  { name, status }: Subject<'header'>,
  operation: Operation,
  { check }: FaultContext,
): Faults {
  const change = (text: string | undefined) =>
    changing(operation, status, (reply) => changeHeader(reply, name, () => text));
  const { required, schema } =
    operation.responses
      .find((response) => response.status === status)
      ?.headers.find((each) => each.name === name) ?? {};
  if (required === true) yield [`leaves out ${name}`, change(undefined)];
  if (schema === undefined) return;
  // A `Location` may be relative, so that any word is one.
  const texts = /location$/i.test(name) ? ['http://['] : ['soon', '-1', '1.5', ''];
  const wrong = texts.find(
    (text) => (check.find(schema.pointer, 'response', readText(text, schema))?.length ?? 0) > 0,
  );
  if (wrong !== undefined)
    yield [`sends ${name}: ${wrong === '' ? 'nothing' : wrong}`, change(wrong)];
}

/** The value of a header field: a number if its schema expects one and the text is one. */
function readText(text: string, schema: SchemaNode): JsonValue {
  const isNumber = schema.shape().types.some((type) => type === 'integer' || type === 'number');
  return isNumber && /^-?[\d.]+$/.test(text) ? Number(text) : text;
}

/** Mutants of one facet: the nearest miss, and a coarser one. */
const maxChanges = 2;

/** Sends another content type, a body that is not JSON, or a member that violates its schema. */
export function* breakBody(
  subject: Exclude<Subject<'body'>, { readonly part: 'error' }>,
  operation: Operation,
  { check }: FaultContext,
): Faults {
  const { status } = subject;
  const response = operation.responses.find((each) => each.status === status);
  if (response === undefined) return;
  const change = (fault: string, how: (reply: Reply) => Reply): Fault => [
    fault,
    changing(operation, status, how),
  ];
  if (subject.part === 'content-type') {
    const isListed = (type?: string): boolean =>
      response.content.some(({ mediaType }) => mediaType === type || mediaType === '*/*');
    const changeType = (fault: string, type?: string): Fault =>
      change(fault, (reply) => changeHeader(reply, 'content-type', () => type));
    if (!isListed('text/html')) yield changeType('has the content type text/html', 'text/html');
    if (!isListed()) yield changeType('has no content type');
    return;
  }
  const content = jsonContent(response.content);
  if (content === undefined) return;
  if (subject.part === 'whole') {
    yield change('ends before its last character', (reply) => ({
      ...reply,
      body: reply.body.slice(0, -1),
    }));
    yield change('has no body', (reply) => ({ ...reply, body: '' }));
    return;
  }
  const { schema } = content;
  if (schema === undefined || subject.part !== 'member') return;
  const { path, facet } = subject;
  const sample = sampleAt(schema, undefined, path) ?? null;
  const place = path.join('/');
  let found = 0;
  for (const [kind, how] of listChanges(findNode(schema, path), facet)) {
    const changed = changeAt(sample, path, how);
    const flaws =
      changed === undefined ? [] : check.find(schemaPointer(content), 'response', changed);
    if (!flaws?.some((flaw) => flaw.facet === facet && flaw.path.join('/') === place)) continue;
    yield change(`has ${path.length === 0 ? 'the body' : path.join('.')} ${kind}`, (reply) =>
      changeBody(reply, (body) => changeAt(body, path, how)),
    );
    found += 1;
    if (found === maxChanges) return;
  }
}

/** A given value, or else a sample of a schema, with something at a path as far as the schema has it. */
function sampleAt(
  node: SchemaNode | undefined,
  given: JsonValue | undefined,
  [step, ...rest]: readonly string[],
): JsonValue | undefined {
  const value =
    given ?? (node && sampleSchema(node, { direction: 'response', members: 'all' }).value);
  if (step === undefined || value === undefined || node === undefined) return value;
  const { items, properties } = node.shape();
  if (step === '[]' && isJsonArray(value))
    return [sampleAt(items, value[0], rest) ?? null, ...value.slice(1)];
  return isJsonObject(value)
    ? { ...value, [step]: sampleAt(properties.get(step), value[step], rest) }
    : value;
}

/** The schema of a member; undefined if it is not in a single place. */
function findNode(schema: SchemaNode, [step, ...rest]: readonly string[]): SchemaNode | undefined {
  if (step === undefined) return schema;
  const { items, properties } = schema.shape();
  const next = step === '[]' ? items : properties.get(step);
  return next && findNode(next, rest);
}

type Change = (value: JsonValue | undefined) => JsonValue | undefined;

/** Ways to break a facet, the nearest miss first; Ajv decides which of them do. */
function* listChanges(
  node: SchemaNode | undefined,
  facet: string,
): Generator<readonly [kind: string, change: Change]> {
  if (facet === 'required') yield ['left out', () => undefined];
  if (facet === 'additional')
    yield ['with a further member', (value) => ({ ...Object(value), unexpected: true })];
  const limits = node?.shape().limits() ?? [];
  const limit = limits.find((each) => each.facet === facet);
  for (const { name, value } of limit?.wrong?.() ?? []) yield [name, () => value];
  if (facet === 'unique-items')
    yield [
      'with an item twice',
      (value) => (isJsonArray(value) ? [...value, ...value.slice(-1)] : undefined),
    ];
  for (const value of stock) yield [`as ${renderJson(value)}`, () => value];
}

const long = 'x'.repeat(5000);

/** Values of every type, which match few schemas. */
const stock: readonly JsonValue[] = [null, '', '?!', 1.5, -1e20, 1e20, true, [], {}, long];

/** An operation that always responds in the same way. */
function always(fault: string, operation: Operation, status: number, body: string): Fault {
  const change = (reply: Reply): Reply => ({ ...reply, status, headers: jsonHeaders(reply), body });
  return [
    fault,
    () => replying((reply, call) => (call.operation === operation ? change(reply) : reply)),
  ];
}

function jsonHeaders({ headers }: Reply): Reply['headers'] {
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return [['Content-Type', 'application/json'], ...others];
}

/** An unprovoked response that breaks its description; an error of another shape. */
export function* breakErrors(
  facet: 'shape' | 'status' | 'listed',
  { contract, check }: FaultContext,
): Faults {
  if (facet === 'listed') {
    for (const operation of contract.operations)
      for (const { status: range, content } of operation.responses) {
        const media = jsonContent(content);
        if (media?.schema === undefined || isReachable(operation, range, contract)) continue;
        const status = Number(range.replace(/XX$/i, '99')) || 599;
        const wrong = ['"wrong"', '7', 'null'].find(
          (body) => check.find(schemaPointer(media), 'response', parseJson(body))?.length,
        );
        if (wrong === undefined) continue;
        const fault = `returns a ${status} from ${operation.id} whose body is ${wrong}`;
        return yield always(fault, operation, status, wrong);
      }
    return;
  }
  const [place] = contract.operations.flatMap((operation) => {
    const status = findUnlisted(operation);
    return status === undefined ? [] : [{ operation, status }];
  });
  if (place === undefined) return;
  const { operation, status } = place;
  if (facet === 'shape')
    return yield always(`returns a ${status} whose body is a text`, operation, status, '"wrong"');
  const { members = [], schema } = contract.error ?? {};
  const member = members.find(({ role }) => role === 'status')?.name;
  if (member === undefined || schema === undefined) return;
  const sample = sampleSchema(schema, { direction: 'response' }).value;
  const body = renderJson(changeAt(sample, [member], () => 400) ?? null);
  yield always(`returns a ${status} whose body says 400`, operation, status, body);
}

/** An error status that an operation does not document. */
export function findUnlisted(operation: Operation): number | undefined {
  return [418, 599].find((status) => documentedResponse(operation, status) === undefined);
}

/** Sends no response or a 5xx, to requests that the server refuses, or to others. */
export function* breakRobustness(
  facet: 'answered' | 'no-server-error',
  operation: Operation,
  context: FaultContext,
): Faults {
  const { contract } = context;
  const isHanging = facet === 'answered';
  const failing = (requests: string, isMeant: (reply: Reply) => boolean): Fault => [
    `${isHanging ? 'never responds' : 'returns 500'} to ${requests}`,
    () =>
      replying((reply, call) => {
        if (call.operation !== operation || !isMeant(reply)) return reply;
        return isHanging ? undefined : context.reply(operation, 500, reply);
      }),
  ];
  yield failing('valid requests', ({ status }) => status < 400);
  const refuses = operation.responses.some(({ status }) =>
    /^(4(00|01|04|22|XX)|default)$/.test(status),
  );
  if (refuses && listRequirements(contract).some((each) => isRefused(each, operation)))
    yield failing(
      'requests that it refuses',
      ({ status }) => status >= 400 && status !== contract.rateLimit?.status,
    );
}

/** Whether some request to the operation must be refused. */
function isRefused({ operation: id, subject }: Requirement, operation: Operation): boolean {
  if (id !== operation.id) return false;
  if (subject.kind === 'status') return subject.status === '404';
  if (subject.kind === 'request') return subject.facet !== 'taken' && subject.facet !== 'optional';
  return subject.kind === 'auth';
}

/** Breaks the arithmetic of the rate-limit headers, or refuses the wrong requests. */
export function* breakRateLimit(
  facet: Subject<'rate-limit'>['facet'],
  { contract }: FaultContext,
): Faults {
  const policy = contract.rateLimit;
  if (policy === undefined) return;
  const { headers: names } = policy;
  const isRefused = ({ status }: Reply): boolean => status === policy.status;
  const numbers: Readonly<Partial<Record<typeof facet, readonly NumberFault[]>>> = {
    'remaining-within-limit': [
      ['sends a Remaining beyond Limit', 'remaining', (_value, limit) => limit + 1],
    ],
    'remaining-counts': [
      ['always sends the same Remaining', 'remaining', (_value, limit) => limit - 1],
    ],
    'remaining-monotonic': [['counts Remaining up', 'remaining', (value, limit) => limit - value]],
    'reset-plausible': [
      ['sends Reset in milliseconds', 'reset', (value) => value * 1000],
      ['sends a Reset of an hour ago', 'reset', (value) => value - 3600],
    ],
    plan: [['sends a Limit that no plan has', 'limit', (value) => value + 7]],
    'retry-after': [['sends Retry-After: 0 with a 429', 'retryAfter', () => 0]],
  };
  for (const [fault, name, change] of numbers[facet] ?? [])
    yield [
      fault,
      () =>
        replying((reply) => {
          const limit = Number(headerOf(reply, names.limit));
          return changeHeader(reply, names[name], (value) => String(change(Number(value), limit)));
        }),
    ];
  if (facet === 'exceeded')
    yield [
      'serves what is over the limit as the request before it',
      () => {
        let last: Reply | undefined;
        return replying((reply) => {
          if (reply.status < 300) last = reply;
          return isRefused(reply) && last ? { ...last, headers: jsonHeaders(reply) } : reply;
        });
      },
    ];
  if (facet === 'returns')
    yield [
      'refuses every request after the first 429',
      () => {
        let refusal: Reply | undefined;
        return replying((reply) => {
          if (isRefused(reply)) refusal = reply;
          return refusal ?? reply;
        });
      },
    ];
  if (facet !== 'headers') return;
  const limits = Object.values(names).map((each) => each.toLowerCase());
  const strip = (reply: Reply): Reply => ({
    ...reply,
    headers: reply.headers.filter(([each]) => !limits.includes(each.toLowerCase())),
  });
  yield [
    'leaves the headers out of responses that the operation does not list',
    () =>
      replying((reply, { operation }) =>
        operation && documentedResponse(operation, reply.status) ? reply : strip(reply),
      ),
  ];
}

/** A wrong number in a rate-limit header. */
type NumberFault = readonly [
  fault: string,
  header: 'limit' | 'remaining' | 'reset' | 'retryAfter',
  change: (value: number, limit: number) => number,
];
