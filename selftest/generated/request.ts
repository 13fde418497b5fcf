import { refusalStatus } from '../../contract/openapi/response.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { sentPlace } from '../../contract/resource/resource.ts';
import { valueAt } from '../../contract/json/place.ts';
import { extremeOf } from '../../contract/schema/extreme.ts';
import { isJsonObject, jsonEquals, type JsonValue, renderJson } from '../../contract/json/value.ts';
import { isCredential, renderCredential } from '../../contract/openapi/credential.ts';
import { isForm, type MediaType, memberContent } from '../../contract/openapi/media-type.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { sampleSchema } from '../../contract/sample/sample.ts';
import {
  headerOf,
  readSentBody,
  renderRequestBody,
  type WireRequest,
} from '../../conformance/index.ts';
import {
  type Call,
  changeAt,
  type Fault,
  type Faults,
  type Layer,
  replying,
  type Reply,
  requesting,
  type Serve,
  type Subject,
  type FaultContext,
} from './layer.ts';
import { schemaPointer } from './schema-check.ts';

/** A layer for the requests to one operation. */
function within(operation: Operation, handle: (call: Call, serve: Serve) => Reply): Layer {
  return (call, serve) =>
    call.operation === operation ? handle(call, serve) : serve(call.request);
}

/** Accepts an invalid body, or refuses a valid one. */
export function* breakRequest(
  { path, facet }: Subject<'request'>,
  operation: Operation,
  context: FaultContext,
): Faults {
  const content = memberContent(operation);
  if (facet === 'taken' || facet === 'optional')
    return yield* refuseBodies(path, facet, operation, context);
  if (facet === 'required' && path.length === 0) {
    const sample = content?.schema && sampleSchema(content.schema, { direction: 'request' }).value;
    const fill = (request: WireRequest): WireRequest =>
      request.body === undefined || request.body === ''
        ? withBody(request, sample ?? {}, content)
        : request;
    return yield [
      'accepts a request without a body',
      () =>
        requesting((call) => (call.operation === operation ? fill(call.request) : call.request)),
    ];
  }
  if (content?.schema === undefined) return;
  const pointer = schemaPointer(content);
  const accept = (call: Call, serve: Serve): Reply => {
    const { body } = readSentBody(operation, call.request);
    const flaws = body === undefined ? [] : context.check.find(pointer, 'request', body);
    const isMeant = flaws?.some(
      (flaw) => flaw.facet === facet && flaw.path.join('/') === path.join('/'),
    );
    if (isMeant !== true) return serve(call.request);
    const reply = serve(repaired(call, context));
    return reply.status < 400 ? reply : context.successReply(operation, reply);
  };
  yield [
    `accepts a body that breaks ${facet} of ${path.length === 0 ? 'the body' : path.join('.')}`,
    () => within(operation, accept),
  ];
}

/** The request with a valid body: wrong values are replaced by those of a sample. */
export function repaired({ request, operation }: Call, context: FaultContext): WireRequest {
  const content = operation && memberContent(operation);
  if (operation === undefined || content?.schema === undefined) return request;
  const pointer = schemaPointer(content);
  const sample = sampleSchema(content.schema, { direction: 'request', members: 'all' }).value;
  const depth = sentPlace(context.contract.resources, operation).length + 1;
  let body = readSentBody(operation, request).body ?? sample;
  for (let turn = 0; turn < 5; turn += 1) {
    const [flaw] = context.check.find(pointer, 'request', body) ?? [];
    if (flaw === undefined) return withBody(request, body, content);
    // An error within a member replaces the whole member.
    const wrong = flaw.path.slice(0, depth);
    const first = wrong.at(-1);
    const known = valueAt(sample, wrong);
    const extra = isJsonObject(body)
      ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'unexpected'))
      : body;
    body =
      first === undefined || first === '[]'
        ? jsonEquals(extra, body)
          ? sample
          : extra
        : (changeAt(body, wrong, () => known) ?? sample);
  }
  return withBody(request, sample, content);
}

/** The request with another body, in the media type of the request or the operation. */
export function withBody(
  request: WireRequest,
  body: JsonValue,
  media: MediaType | undefined,
): WireRequest {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  const form = media && isForm(media.mediaType) ? renderRequestBody(media, body) : undefined;
  const usual = headerOf(request, 'content-type') ?? media?.name ?? 'application/json';
  const type = ['Content-Type', form?.contentType ?? usual] as const;
  const text = form?.body ?? renderJson(body);
  return { ...request, headers: [...headers, type], body: text, encoding: undefined };
}

/** Refuses what the schema allows. */
function* refuseBodies(
  path: readonly string[],
  facet: 'taken' | 'optional',
  operation: Operation,
  context: FaultContext,
): Faults {
  const name = path.at(-1) ?? '';
  const refuse = (fault: string, isMeant: (value: JsonValue | undefined) => boolean): Fault =>
    refusing(fault, operation, context, ({ request }) => {
      const holder = valueAt(readSentBody(operation, request).body, path.slice(0, -1));
      return isJsonObject(holder) && isMeant(holder[name]);
    });
  if (facet === 'optional')
    return yield refuse(`refuses a body without ${name}`, (value) => value === undefined);
  const schema = schemaAt(memberContent(operation)?.schema, path);
  if (schema === undefined) return;
  const shape = schema.shape();
  const edges = shape
    .limits()
    .filter(({ facet: keyword }) => keyword !== undefined)
    .flatMap(({ edges: list }) => list?.() ?? []);
  const isLike = (edge: JsonValue) => (value: JsonValue | undefined) =>
    value !== undefined &&
    (typeof edge === 'string' && shape.values === undefined
      ? typeof value === 'string' && Array.from(value).length === Array.from(edge).length
      : jsonEquals(value, edge));
  for (const edge of [edges[0], ...(edges.length > 1 ? edges.slice(-1) : [])])
    if (edge !== undefined) yield refuse(`refuses ${short(edge)} as ${name}`, isLike(edge));
  if (edges[0] !== undefined) return;
  const isOpen = context.contract.openQuestions.some(({ kind }) => kind === 'string-limits');
  const isValid = (value: JsonValue): boolean => schema.isValid(value, 'request');
  if (isValid('Zoë 狗') && !isOpen)
    yield refuse(
      `refuses a ${name} with letters beyond ASCII`,
      (value) => typeof value === 'string' && /[^\0-\x7f]/.test(value),
    );
  else if (shape.types.length > 1 && isValid(null))
    yield refuse(`refuses null as ${name}`, (value) => value === null);
  else if (shape.types.includes('boolean') && isValid(true))
    yield refuse(`refuses true as ${name}`, (value) => value === true);
  else yield refuse(`refuses every ${name}`, (value) => value !== undefined);
}

function short(value: JsonValue): string {
  const text = renderJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Refuses some requests before processing them. */
function refusing(
  fault: string,
  operation: Operation,
  context: FaultContext,
  isMeant: (call: Call) => boolean,
): Fault {
  const create = (): Layer => {
    let last: Reply | undefined;
    return within(operation, (call, serve) => {
      if (isMeant(call)) return context.reply(operation, refusalStatus(operation) ?? 400, last);
      last = serve(call.request);
      return last;
    });
  };
  return [fault, create];
}

/** Refuses a valid value, or ignores a parameter of a list. */
export function* breakParameter(
  { name, facet }: Subject<'parameter'>,
  operation: Operation,
  context: FaultContext,
): Faults {
  const parameter = operation.parameters.find((each) => each.name === name && each.in === 'query');
  if (parameter === undefined) return;
  const values = parameter.schema.shape().values ?? [];
  const sentAs = ({ request }: Call): string | null => new URL(request.url).searchParams.get(name);
  const sending = ({ request }: Call, value: string | undefined): WireRequest => {
    const url = new URL(request.url);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return { ...request, url: url.href };
  };
  const rewrite = (fault: string, change: (value: string | null) => string | undefined): Fault => [
    fault,
    () => within(operation, (call, serve) => serve(sending(call, change(sentAs(call))))),
  ];
  const refuse = (fault: string, isMeant: (value: string | null) => boolean): Fault =>
    refusing(fault, operation, context, (call) => isMeant(sentAs(call)));
  const { resources } = context.contract;
  const { limit } = resources.find(({ list }) => list.id === operation.id) ?? {};
  const { minimum = 1, maximum = Infinity, default: preset } = limit ?? {};
  const collection = context.collectionOf(operation);
  /** Lists with one item more or less than the limit, if they are full. */
  const resize = (fault: string, by: 1 | -1): Fault => [
    fault,
    () =>
      within(operation, (call, serve) => {
        const size = Number(sentAs(call) ?? Number.NaN);
        // What must be refused is still refused.
        const isLarger = size >= minimum && size + by <= maximum && by > 0;
        const reply = serve(isLarger ? sending(call, String(size + by)) : call.request);
        const items = collection?.listItems(operation, reply) ?? [];
        if (collection === undefined || items.length !== size) return reply;
        const last = items.at(-1)?.[0];
        return collection.mapItems(operation, reply, (item, id) =>
          id !== last ? item : by > 0 ? [item, item] : undefined,
        );
      }),
  ];
  switch (facet) {
    case 'minimum':
    case 'maximum': {
      const end = extremeOf(parameter.schema, facet);
      return yield refuse(
        `refuses the ${facet} of ${name}`,
        (sent) => sent !== null && end !== undefined && Number(sent) === Number(end),
      );
    }
    case 'values':
      for (const value of new Set([...values.slice(0, 1), ...values.slice(-1)]))
        yield refuse(`refuses ${renderJson(value)} as ${name}`, (sent) => sent === textOf(value));
      return;
    case 'bound':
      return yield resize(`returns one item more than ${name} allows`, 1);
    case 'filled':
      return yield resize(`returns one item less than ${name} allows`, -1);
    case 'next':
      return yield rewrite(`ignores ${name}`, () => undefined);
    case 'default':
      return yield rewrite(
        `has another default of ${name}`,
        (sent) => sent ?? (preset === 1 ? '2' : '1'),
      );
    case 'filter':
      yield rewrite(`ignores ${name}`, () => undefined);
      if (values.length > 1)
        yield rewrite(`keeps another ${name}`, (sent) =>
          sent === null ? undefined : values.map(textOf).find((value) => value !== sent),
        );
  }
}

/** A value as text in a query. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : renderJson(value);
}

/** Accepts a request without the valid key. */
export function* breakAuth(
  facet: Subject<'auth'>['facet'],
  operation: Operation | undefined,
  context: FaultContext,
): Faults {
  const { operations } = context.contract;
  const hasBearer = operations.some(({ security }) =>
    security
      .flat()
      .some(
        (scheme) =>
          isCredential(scheme) && renderCredential(scheme, '')?.value.startsWith('Bearer'),
      ),
  );
  const key = context.key.toLowerCase();
  const [head = ''] = key.split('_', 1);
  /** A text similar to the key, with the scheme of the document if it has one. */
  const isNear = (text: string): boolean =>
    (/^bearer /i.test(text) || !hasBearer) &&
    (text.toLowerCase().includes(key.slice(0, -1)) ||
      (/[a-z]{3}/.test(head) && text.toLowerCase().endsWith(head)));
  const accept = (fault: string, isMeant: (shown: readonly string[]) => boolean): Fault => [
    fault,
    () =>
      replying((reply, call, serve) => {
        const isOurs = operation === undefined || call.operation === operation;
        return isOurs && reply.status === 401 && isMeant(shownKeys(call))
          ? serve(context.withKey(call))
          : reply;
      }),
  ];
  switch (facet) {
    case 'missing':
      return yield accept('accepts a request without a key', (shown) => shown.length === 0);
    case 'invalid':
      return yield accept('accepts every key', (shown) => shown.length > 0);
    case 'exact':
      return yield accept('accepts a key that is nearly right', (shown) => shown.some(isNear));
    case 'scheme':
      return yield accept('accepts the key under every scheme', (shown) =>
        shown.some((text) => !/^bearer /i.test(text)),
      );
  }
}

/** The texts in which a request may show a key: the values of every field that its operation reads. */
function shownKeys({ request, operation }: Call): readonly string[] {
  const { searchParams } = new URL(request.url);
  return (operation?.security.flat() ?? []).filter(isCredential).flatMap((scheme) => {
    const field = renderCredential(scheme, '');
    if (field === undefined) return [];
    return field.in === 'query'
      ? (searchParams.get(field.name) ?? [])
      : (headerOf(request, field.in === 'cookie' ? 'cookie' : field.name) ?? []);
  });
}
