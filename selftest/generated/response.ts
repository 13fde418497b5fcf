import { documentedResponse, type ResponseContract } from '../../contract/openapi/response.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJson,
  renderJson,
} from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { listRequirements, isReachable, type Requirement } from '../../conformance/index.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { SchemaNode } from '../../contract/schema/schema-node.ts';
import { findCollection } from './collection.ts';
import {
  changeAt,
  changeBody,
  changeHeader,
  type Faults,
  headerOf,
  type Layer,
  type Reply,
  type Workshop,
} from './layer.ts';
import { schemaPointer } from './schema-check.ts';

type Subject<Kind> = Extract<Requirement['subject'], { readonly kind: Kind }>;

/** Changes every response of an operation that the document describes under a status. */
function changing(
  operation: Operation,
  status: string,
  change: (reply: Reply) => Reply,
): () => Layer {
  return () => (call, serve) => {
    const reply = serve(call.request);
    const isMeant =
      call.operation === operation &&
      documentedResponse(operation, reply.status)?.status === status;
    return isMeant ? change(reply) : reply;
  };
}

/** Another status than the one that the operation has for such a request. */
export function* breakStatus(
  { kind: _kind, status }: Subject<'status'>,
  operation: Operation,
  workshop: Workshop,
): Faults {
  const isListed = (code: number): boolean => documentedResponse(operation, code) !== undefined;
  const isSuccess = !status.startsWith('4');
  const others = isSuccess ? [200, 201, 202, 203, 206, 418, 500] : [400, 410, 204, 500];
  const other = others.find((code) => !isListed(code)) ?? 500;
  // A documented refusal may have a reason that nobody sees.
  for (const code of [other, isSuccess ? 404 : 200]) {
    // An item that was never mentioned need not be there.
    const isUnknown =
      operation.path.includes('{') && findCollection(workshop, operation) === undefined;
    if (isSuccess && code === 404 && (isListed(404) || isUnknown)) continue;
    yield {
      kind: `${code}`,
      fault: `returns ${code} instead of ${status}`,
      layer: changing(operation, status, (reply) => ({ ...reply, status: code })),
    };
  }
}

/** A missing header, and one that its schema refuses. */
export function* breakHeader(
  { name, status }: Subject<'header'>,
  operation: Operation,
  { check }: Workshop,
): Faults {
  yield {
    kind: 'left-out',
    fault: `leaves out ${name}`,
    layer: changing(operation, status, (reply) => changeHeader(reply, name, () => undefined)),
  };
  const header = operation.responses
    .find((response) => response.status === status)
    ?.headers.find((each) => each.name === name);
  const schema = header?.schema;
  if (schema === undefined) return;
  const wrong = ['soon', '-1', '1.5', ''].find(
    (text) => (check.find(schema.pointer, 'response', readText(text, schema))?.length ?? 0) > 0,
  );
  if (wrong === undefined) return;
  yield {
    kind: 'malformed',
    fault: `sends ${name}: ${wrong === '' ? 'nothing' : wrong}`,
    layer: changing(operation, status, (reply) => changeHeader(reply, name, () => wrong)),
  };
}

/** A header field is text: a number where its schema wants one and it reads as one. */
function readText(text: string, schema: SchemaNode): JsonValue {
  const isNumber = schema.shape().types.some((type) => type === 'integer' || type === 'number');
  return isNumber && /^-?[\d.]+$/.test(text) ? Number(text) : text;
}

/** Another content type, a body that is no JSON, and a member that its schema refuses. */
export function* breakBody(
  subject: Exclude<Subject<'body'>, { readonly part: 'error' }>,
  operation: Operation,
  { check }: Workshop,
): Faults {
  const { status } = subject;
  const response = operation.responses.find((each) => each.status === status);
  if (response === undefined) return;
  const change = (kind: string, fault: string, how: (reply: Reply) => Reply) => ({
    kind,
    fault,
    layer: changing(operation, status, how),
  });
  if (subject.part === 'content-type') {
    for (const [kind, type] of [
      ['html', 'text/html'],
      ['none', undefined],
    ] as const)
      if (documentedContent(response, type) === undefined)
        yield change(
          kind,
          type === undefined ? 'has no content type' : `has the content type ${type}`,
          (reply) => changeHeader(reply, 'content-type', () => type),
        );
    return;
  }
  const content = jsonContent(response.content);
  if (content === undefined) return;
  if (subject.part === 'whole') {
    yield change('cut', 'ends before its last character', (reply) => ({
      ...reply,
      body: reply.body.slice(0, -1),
    }));
    yield change('empty', 'has no body', (reply) => ({ ...reply, body: '' }));
    return;
  }
  const { schema } = content;
  if (schema === undefined || subject.part !== 'member') return;
  const { path, facet } = subject;
  const pointer = schemaPointer(content);
  const sample = sampleAt(schema, undefined, path) ?? null;
  const breaks = (changed: JsonValue | undefined): boolean =>
    changed !== undefined &&
    check
      .find(pointer, 'response', changed)
      ?.some((flaw) => flaw.facet === facet && flaw.path.join('/') === path.join('/')) === true;
  let found = 0;
  for (const [kind, how] of listChanges(findNode(schema, path), facet)) {
    if (!breaks(changeAt(sample, path, how))) continue;
    yield change(kind, `has ${renderPath(path)} ${kind}`, (reply) =>
      changeBody(reply, (body) => changeAt(body, path, how)),
    );
    found += 1;
    if (found === mostChanges) return;
  }
}

/** Mutants of one facet: the nearest miss, and a coarser one. */
const mostChanges = 2;

function documentedContent({ content }: ResponseContract, type: string | undefined) {
  return content.find(({ mediaType }) => mediaType === type || mediaType === '*/*');
}

function renderPath(path: readonly string[]): string {
  return path.length === 0 ? 'the body' : path.join('.');
}

/** A value of a schema, a given one if there is one, with something at a path as far as the schema has it. */
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

/** The schema of a member; undefined if it is not in one place. */
function findNode(schema: SchemaNode, [step, ...rest]: readonly string[]): SchemaNode | undefined {
  if (step === undefined) return schema;
  const { items, properties } = schema.shape();
  const next = step === '[]' ? items : properties.get(step);
  return next && findNode(next, rest);
}

type Change = (value: JsonValue | undefined) => JsonValue | undefined;

/** Ways to break a facet, the nearest miss first; Ajv says which of them do. */
function* listChanges(
  node: SchemaNode | undefined,
  facet: string,
): Generator<readonly [kind: string, change: Change]> {
  if (facet === 'required') yield ['left out', () => undefined];
  if (facet === 'additional')
    yield ['with a further member', (value) => ({ ...Object(value), unexpected: true })];
  const limit = node
    ?.shape()
    .limits()
    .find((each) => each.facet === facet);
  for (const { name, value } of limit?.wrong?.() ?? []) yield [name, () => value];
  if (facet === 'unique-items')
    yield [
      'with an item twice',
      (value) => (Array.isArray(value) ? [...value, ...value.slice(-1)] : undefined),
    ];
  for (const value of stock) yield [`as ${renderJson(value)}`, () => value];
}

/** Values of every type, which suit few schemas. */
const stock: readonly JsonValue[] = [
  null,
  '',
  '?!',
  1.5,
  -1e20,
  1e20,
  true,
  [],
  {},
  'x'.repeat(5000),
];

/** An operation that responds in one way, whatever is asked. */
function always(kind: string, fault: string, operation: Operation, status: number, body: string) {
  return {
    kind,
    fault,
    layer: (): Layer => (call, serve) => {
      const reply = serve(call.request);
      return call.operation === operation
        ? { ...reply, status, headers: jsonHeaders(reply), body }
        : reply;
    },
  };
}

/** A response that no request asks for, not as it is described; an error of another form. */
export function* breakErrors(
  facet: 'shape' | 'status' | 'listed',
  { contract, check }: Workshop,
): Faults {
  if (facet === 'listed') {
    for (const operation of contract.operations)
      for (const { status: range, content } of operation.responses) {
        const media = jsonContent(content);
        if (media?.schema === undefined || isReachable(operation, range, contract)) continue;
        const status = /^\d+$/.test(range)
          ? Number(range)
          : Number(range.replace(/XX$/i, '99')) || 599;
        const wrong = ['"wrong"', '7', 'null'].find(
          (body) => check.find(schemaPointer(media), 'response', parseJson(body))?.length,
        );
        if (wrong === undefined) continue;
        const fault = `returns a ${status} from ${operation.id} whose body is ${wrong}`;
        yield always('wrong', fault, operation, status, wrong);
        return;
      }
    return;
  }
  const [place] = contract.operations.flatMap((operation) => {
    const status = findUnlisted(operation);
    return status === undefined ? [] : [{ operation, status }];
  });
  const member = contract.error?.members.find(({ role }) => role === 'status')?.name;
  if (place === undefined) return;
  const { operation, status } = place;
  if (facet === 'shape')
    yield always('text', `returns a ${status} whose body is a text`, operation, status, '"wrong"');
  else if (member !== undefined) {
    const body = changeAt(sampleOf(contract.error?.schema), [member], () => 400) ?? null;
    const fault = `returns a ${status} whose body says 400`;
    yield always('other-status', fault, operation, status, renderJson(body));
  }
}

/** A status of an error that an operation does not describe. */
export function findUnlisted(operation: Operation): number | undefined {
  return [418, 599].find((status) => documentedResponse(operation, status) === undefined);
}

function sampleOf(schema: SchemaNode | undefined): JsonValue {
  return schema === undefined ? null : sampleSchema(schema, { direction: 'response' }).value;
}

function jsonHeaders({ headers }: Reply): Reply['headers'] {
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return [['Content-Type', 'application/json'], ...others];
}

/** No response, or a 5xx, to what the server refuses, and else to what it serves. */
export function* breakRobustness(
  facet: 'answered' | 'no-server-error',
  operation: Operation,
  workshop: Workshop,
): Faults {
  const { contract } = workshop;
  const isHanging = facet === 'answered';
  const fault = isHanging ? 'never responds' : 'returns 500';
  const serves = (reply: Reply): Reply | undefined =>
    isHanging ? undefined : workshop.reply(operation, 500, reply);
  yield {
    kind: 'valid',
    fault: `${fault} to valid requests`,
    layer: () => (call, serve) => {
      const reply = serve(call.request);
      return call.operation === operation && reply.status < 400 ? serves(reply) : reply;
    },
  };
  const refuses = operation.responses.some(({ status }) =>
    /^(4(00|01|04|22|XX)|default)$/.test(status),
  );
  if (!refuses || !listRequirements(contract).some((each) => isRefused(each, operation))) return;
  yield {
    kind: 'invalid',
    fault: `${fault} to requests that it refuses`,
    layer: () => (call, serve) => {
      const reply = serve(call.request);
      const isRefusal = reply.status >= 400 && reply.status !== contract.rateLimit?.status;
      return call.operation === operation && isRefusal ? serves(reply) : reply;
    },
  };
}

/** It says that some request to the operation is refused. */
function isRefused({ operation: id, subject }: Requirement, operation: Operation): boolean {
  if (id !== operation.id) return false;
  if (subject.kind === 'status') return subject.status === '404';
  if (subject.kind === 'request') return subject.facet !== 'taken' && subject.facet !== 'optional';
  return subject.kind === 'auth';
}

/** A layer that changes a number in a header of some responses. */
const header =
  (
    name: string,
    change: (value: number, reply: Reply) => number,
    isMeant: (reply: Reply) => boolean = () => true,
  ) =>
  (): Layer =>
  (call, serve) => {
    const reply = serve(call.request);
    return isMeant(reply)
      ? changeHeader(reply, name, (value) => String(change(Number(value), reply)))
      : reply;
  };

/** The header arithmetic of a rate limit, and what is refused by it. */
export function* breakRateLimit(
  facet: Subject<'rate-limit'>['facet'],
  { contract }: Workshop,
): Faults {
  const policy = contract.rateLimit;
  if (policy === undefined) return;
  const { headers: name } = policy;
  const limitOf = (reply: Reply): number => Number(headerOf(reply, name.limit));
  const isRefused = ({ status }: Reply): boolean => status === policy.status;
  switch (facet) {
    case 'remaining-within-limit':
      return yield {
        kind: 'beyond',
        fault: 'sends a Remaining beyond Limit',
        layer: header(name.remaining, (_value, reply) => limitOf(reply) + 1),
      };
    case 'remaining-counts':
      return yield {
        kind: 'constant',
        fault: 'always sends the same Remaining',
        layer: header(name.remaining, (_value, reply) => limitOf(reply) - 1),
      };
    case 'remaining-monotonic':
      return yield {
        kind: 'rising',
        fault: 'counts Remaining up',
        layer: header(name.remaining, (value, reply) => limitOf(reply) - value),
      };
    case 'reset-plausible':
      yield {
        kind: 'milliseconds',
        fault: 'sends Reset in milliseconds',
        layer: header(name.reset, (value) => value * 1000),
      };
      return yield {
        kind: 'past',
        fault: 'sends a Reset of an hour ago',
        layer: header(name.reset, (value) => value - 3600),
      };
    case 'plan':
      return yield {
        kind: 'other',
        fault: 'sends a Limit that no plan has',
        layer: header(name.limit, (value) => value + 7),
      };
    case 'retry-after':
      return yield {
        kind: 'zero',
        fault: 'sends Retry-After: 0 with a 429',
        needs: 'exhaust',
        layer: header(name.retryAfter, () => 0, isRefused),
      };
    case 'exceeded':
      yield {
        kind: 'served',
        fault: 'serves what is over the limit as the request before it',
        needs: 'exhaust',
        layer: () => {
          let last: Reply | undefined;
          return (call, serve) => {
            const reply = serve(call.request);
            if (reply.status < 300) last = reply;
            return isRefused(reply) && last !== undefined
              ? { ...last, headers: [...jsonHeaders(reply)] }
              : reply;
          };
        },
      };
      return;
    case 'returns':
      return yield {
        kind: 'never',
        fault: 'refuses every request after the first 429',
        needs: 'exhaust',
        layer: () => {
          let refusal: Reply | undefined;
          return (call, serve) => {
            const reply = serve(call.request);
            if (isRefused(reply)) refusal = reply;
            return refusal ?? reply;
          };
        },
      };
    case 'headers':
      return yield {
        kind: 'left-out',
        fault: 'leaves the headers out of responses that the operation does not list',
        layer: () => (call, serve) => {
          const reply = serve(call.request);
          if (call.operation && documentedResponse(call.operation, reply.status)) return reply;
          const names = Object.values(name).map((each) => each.toLowerCase());
          const headers = reply.headers.filter(([each]) => !names.includes(each.toLowerCase()));
          return { ...reply, headers };
        },
      };
  }
}
