import { extremeOf } from '../../contract/schema/extreme.ts';
import { isJsonObject, jsonEquals, type JsonValue, renderJson } from '../../contract/json/value.ts';
import { jsonContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import type { Requirement, WireRequest } from '../../conformance/index.ts';
import { refusalStatus } from '../../contract/openapi/refusal.ts';
import { findCollection, listItems, mapItems } from './collection.ts';
import {
  type Call,
  changeAt,
  type Faults,
  jsonBody,
  type Layer,
  type Reply,
  type Serve,
  type Workshop,
} from './layer.ts';
import { schemaPointer } from './schema-check.ts';

type Subject<Kind> = Extract<Requirement['subject'], { readonly kind: Kind }>;

/** A layer for the requests of one operation. */
function within(
  operation: Operation,
  handle: (call: Call, serve: Serve) => Reply | undefined,
): Layer {
  return (call, serve) =>
    call.operation === operation ? handle(call, serve) : serve(call.request);
}

/** An invalid body that is accepted, and a valid one that is refused. */
export function* breakRequest(
  { path, facet }: Subject<'request'>,
  operation: Operation,
  workshop: Workshop,
): Faults {
  const content = jsonContent(operation.requestBody?.content ?? []);
  if (facet === 'taken' || facet === 'optional')
    return yield* refuseBodies(path[0] ?? '', facet, operation, workshop);
  if (facet === 'required' && path.length === 0)
    return yield {
      kind: 'accepted',
      fault: 'accepts a request without a body',
      layer: () =>
        within(operation, (call, serve) =>
          call.request.body === undefined || call.request.body === ''
            ? serve(withBody(call.request, sampleBody(operation), content?.name))
            : serve(call.request),
        ),
    };
  if (content?.schema === undefined) return;
  const pointer = schemaPointer(content);
  const place = path.join('/');
  yield {
    kind: 'accepted',
    fault: `accepts a body that breaks ${facet} of ${path.length === 0 ? 'the body' : path.join('.')}`,
    layer: () =>
      within(operation, (call, serve) => {
        const body = jsonBody(call.request);
        const flaws = body === undefined ? [] : workshop.check.find(pointer, 'request', body);
        const isMeant = flaws?.some(
          (flaw) => flaw.facet === facet && flaw.path.join('/') === place,
        );
        if (!isMeant) return serve(call.request);
        const reply = serve(repaired(call, workshop));
        return reply.status < 400 ? reply : workshop.successReply(operation, reply);
      }),
  };
}

/** The request with a body that fits: what is wrong has the value of a sample. */
export function repaired({ request, operation }: Call, workshop: Workshop): WireRequest {
  const content = jsonContent(operation?.requestBody?.content ?? []);
  if (operation === undefined || content?.schema === undefined) return request;
  const pointer = schemaPointer(content);
  const sample = sampleSchema(content.schema, { direction: 'request', members: 'all' }).value;
  let body = jsonBody(request) ?? sample;
  for (let turn = 0; turn < 5; turn += 1) {
    const [flaw] = workshop.check.find(pointer, 'request', body) ?? [];
    if (flaw === undefined) return withBody(request, body);
    const [first] = flaw.path;
    // What is wrong within a member is replaced with it.
    const known = first === undefined || !isJsonObject(sample) ? undefined : sample[first];
    const extra = isJsonObject(body)
      ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'unexpected'))
      : body;
    body =
      first === undefined || first === '[]'
        ? jsonEquals(extra, body)
          ? sample
          : extra
        : (changeAt(body, [first], () => known) ?? sample);
  }
  return withBody(request, sample);
}

function sampleBody(operation: Operation): JsonValue {
  const schema = jsonContent(operation.requestBody?.content ?? [])?.schema;
  return schema === undefined ? {} : sampleSchema(schema, { direction: 'request' }).value;
}

function withBody(
  request: WireRequest,
  body: JsonValue,
  mediaType = 'application/json',
): WireRequest {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const type = ['Content-Type', mediaType] as const;
  const known = request.headers.find(([name]) => name.toLowerCase() === 'content-type');
  return {
    ...request,
    headers: [...headers, known ?? type],
    body: renderJson(body),
    encoding: undefined,
  };
}

/** Refuses what the schema allows. */
function* refuseBodies(
  name: string,
  facet: 'taken' | 'optional',
  operation: Operation,
  workshop: Workshop,
): Faults {
  const refuse = (
    kind: string,
    fault: string,
    isMeant: (value: JsonValue | undefined) => boolean,
  ) => ({
    kind,
    fault,
    layer: refusing(operation, workshop, (call) => {
      const body = jsonBody(call.request);
      return isJsonObject(body) && isMeant(body[name]);
    }),
  });
  if (facet === 'optional') {
    yield refuse('left-out', `refuses a body without ${name}`, (value) => value === undefined);
    return;
  }
  const schema = jsonContent(operation.requestBody?.content ?? [])
    ?.schema?.shape()
    .properties.get(name);
  if (schema === undefined) return;
  const shape = schema.shape();
  const edges = shape
    .limits()
    .filter(({ facet: keyword }) => keyword !== undefined)
    .flatMap(({ edges: list }) => list?.() ?? []);
  const [first, last] = [edges[0], edges.at(-1)];
  const isLike = (edge: JsonValue) => (value: JsonValue | undefined) =>
    value !== undefined &&
    (typeof edge === 'string' && shape.values === undefined
      ? typeof value === 'string' && Array.from(value).length === Array.from(edge).length
      : jsonEquals(value, edge));
  if (first !== undefined)
    yield refuse('first-edge', `refuses ${short(first)} as ${name}`, isLike(first));
  if (last !== undefined && edges.length > 1)
    yield refuse('last-edge', `refuses ${short(last)} as ${name}`, isLike(last));
  if (first !== undefined) return;
  const isOpen = workshop.contract.openQuestions.some(({ kind }) => kind === 'string-limits');
  const isValid = (value: JsonValue): boolean => schema.validate(value, 'request').length === 0;
  if (isValid('Zoë 狗') && !isOpen)
    yield refuse(
      'beyond-ascii',
      `refuses a ${name} with letters beyond ASCII`,
      (value) => typeof value === 'string' && /[^\0-\x7f]/.test(value),
    );
  else if (shape.types.length > 1 && isValid(null))
    yield refuse('null', `refuses null as ${name}`, (value) => value === null);
  else if (shape.types.includes('boolean') && isValid(true))
    yield refuse('true', `refuses true as ${name}`, (value) => value === true);
  else yield refuse('any', `refuses every ${name}`, (value) => value !== undefined);
}

function short(value: JsonValue): string {
  const text = renderJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Refuses some requests, before it does anything. */
function refusing(
  operation: Operation,
  workshop: Workshop,
  isMeant: (call: Call) => boolean,
): () => Layer {
  return () => {
    let last: Reply | undefined;
    return within(operation, (call, serve) => {
      if (isMeant(call)) return workshop.reply(operation, refusalStatus(operation) ?? 400, last);
      last = serve(call.request);
      return last;
    });
  };
}

/** A value that is refused, and a list that does not heed its parameter. */
export function* breakParameter(
  { name, facet }: Subject<'parameter'>,
  operation: Operation,
  resource: Resource | undefined,
  workshop: Workshop,
): Faults {
  const parameter = operation.parameters.find((each) => each.name === name && each.in === 'query');
  if (parameter === undefined) return;
  const { values } = parameter.schema.shape();
  const sentAs = ({ request }: Call): string | null => new URL(request.url).searchParams.get(name);
  const rewrite = (
    kind: string,
    fault: string,
    change: (value: string | null) => string | undefined,
  ) => ({
    kind,
    fault,
    layer: () =>
      within(operation, (call, serve) => {
        const url = new URL(call.request.url);
        const changed = change(url.searchParams.get(name));
        if (changed === undefined) url.searchParams.delete(name);
        else url.searchParams.set(name, changed);
        return serve({ ...call.request, url: url.href });
      }),
  });
  const { minimum = 1, maximum = Infinity, default: preset } = resource?.limit ?? {};
  const collection = findCollection(workshop, operation);
  /** Lists with one item more or less than a limit allows, where they are full. */
  const resize = (kind: string, fault: string, by: 1 | -1) => ({
    kind,
    fault,
    layer: () =>
      within(operation, (call, serve) => {
        const size = Number(sentAs(call) ?? Number.NaN);
        const url = new URL(call.request.url);
        // What is to be refused stays so.
        if (size >= minimum && size + by <= maximum && by > 0)
          url.searchParams.set(name, String(size + by));
        const reply = serve({ ...call.request, url: url.href });
        const items = collection ? listItems(collection, operation, reply) : [];
        if (collection === undefined || items.length !== size) return reply;
        const last = items.at(-1)?.[0];
        return mapItems(collection, operation, reply, (item, id) =>
          id !== last ? item : by > 0 ? [item, item] : undefined,
        );
      }),
  });
  switch (facet) {
    case 'minimum':
    case 'maximum': {
      const end = extremeOf(parameter.schema, facet);
      yield {
        kind: 'refused',
        fault: `refuses the ${facet} of ${name}`,
        layer: refusing(operation, workshop, (call) => {
          const sent = sentAs(call);
          return sent !== null && end !== undefined && Number(sent) === Number(end);
        }),
      };
      return;
    }
    case 'values':
      for (const value of new Set([values?.[0], values?.at(-1)]))
        if (value !== undefined)
          yield {
            kind: renderJson(value),
            fault: `refuses ${renderJson(value)} as ${name}`,
            layer: refusing(operation, workshop, (call) => sentAs(call) === textOf(value)),
          };
      return;
    case 'bound':
      yield resize('one-more', `returns one item more than ${name} allows`, 1);
      return;
    case 'filled':
      yield resize('one-less', `returns one item less than ${name} allows`, -1);
      return;
    case 'default':
      yield rewrite('other', `has another default of ${name}`, (sent) =>
        sent === null ? `${preset === 1 ? 2 : 1}` : sent,
      );
      return;
    case 'filter':
      yield rewrite('ignored', `ignores ${name}`, () => undefined);
      if (values !== undefined && values.length > 1)
        yield rewrite('other', `keeps another ${name}`, (sent) =>
          sent === null ? undefined : values.map(textOf).find((value) => value !== sent),
        );
  }
}

/** A value as a query has it. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

/** A request that is accepted without the right key. */
export function* breakAuth(
  facet: Subject<'auth'>['facet'],
  operation: Operation | undefined,
  workshop: Workshop,
): Faults {
  const accept = (kind: string, fault: string, isMeant: (shown: readonly string[]) => boolean) => ({
    kind,
    fault,
    layer: (): Layer => (call, serve) => {
      const reply = serve(call.request);
      const isOurs = operation === undefined || call.operation === operation;
      return isOurs && reply.status === 401 && isMeant(workshop.shownKeys(call))
        ? serve(workshop.withKey(call))
        : reply;
    },
  });
  switch (facet) {
    case 'missing':
      yield accept('accepted', 'accepts a request without a key', (shown) => shown.length === 0);
      return;
    case 'invalid':
      yield accept('accepted', 'accepts every key', (shown) => shown.length > 0);
      return;
    case 'exact':
      yield accept('near', 'accepts a key that is nearly right', (shown) =>
        shown.some((text) => workshop.isNearKey(text) && workshop.hasScheme(text)),
      );
      return;
    case 'scheme':
      yield accept('any', 'accepts the key under every scheme', (shown) =>
        shown.some((text) => !/^bearer /i.test(text)),
      );
  }
}
