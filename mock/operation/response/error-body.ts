import type { Contract } from '../../../contract/contract.ts';
import type { ErrorRole } from '../../../contract/openapi/error-shape.ts';
import {
  type JsonValue,
  addMember,
  isJsonArray,
  isJsonObject,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import { type MediaType, isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { documentedResponse } from '../../../contract/openapi/response.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import { plainValue } from './plain-value.ts';
import type { Refusal } from './refusal.ts';

/** A refusal as the body of a response. */
export interface ErrorBody {
  readonly text: string;
  readonly mediaType: string;
}

/** `operation`: undefined for what the document does not describe. */
export type RenderErrorBody = (operation: Operation | undefined, refusal: Refusal) => ErrorBody;

/** What a refusal says. */
interface ErrorFacts {
  readonly status: number;
  /** For machines. */
  readonly code: string;
  /** The reason phrase of the status. */
  readonly title: string;
  /** For people. */
  readonly message: string;
}

type Render = (facts: ErrorFacts) => ErrorBody;

/**
 * Refusals as bodies: in the shape that the operation documents for the status, else in that of the
 * document, else as problem details (RFC 9457).
 */
export function compileErrorBody(contract: Contract, choices: Choices): RenderErrorBody {
  const choice = choices.choose('error-code').id;
  const codeOf = (status: number, reason: string, title: string): string => {
    if (choice === 'status-phrase') return title.toUpperCase().replaceAll(' ', '_');
    return choice === 'status-number' ? `${status}` : reason;
  };
  const overLimit = choices.choose('rate-limit-body').id;
  const isTelling = contract.error?.members.some(({ role }) => role === 'message') === true;
  const usual = compileUsual(contract, isTelling);
  const known = new Map<Operation, Map<number, Render>>();
  const renderFor = (operation: Operation, status: number): Render => {
    const compiled = known.get(operation)?.get(status);
    if (compiled !== undefined) return compiled;
    const ofOperation = known.get(operation) ?? new Map<number, Render>();
    const { content } = documentedResponse(operation, status) ?? { content: [] };
    const render = compileDocumented(content, usual, isTelling);
    known.set(operation, ofOperation.set(status, render));
    return render;
  };
  return (operation, { status, reason, message }) => {
    if (reason === 'rate_limited' || reason === 'banned') {
      if (overLimit === 'empty') return { text: '', mediaType: '' };
      if (overLimit === 'text') return { text: message, mediaType: 'text/plain; charset=utf-8' };
    }
    const title = phrases[status] ?? `Status ${status}`;
    const facts = { status, code: codeOf(status, reason, title), title, message };
    return operation === undefined ? usual(facts) : renderFor(operation, status)(facts);
  };
}

/** The body of a documented response: the usual one where it fits and has a message, else one made to fit. */
function compileDocumented(
  content: readonly MediaType[],
  usual: Render,
  isTelling: boolean,
): Render {
  const [first] = content;
  const json = content.find(
    ({ mediaType }) => isJsonMediaType(mediaType) || mediaType.includes('*'),
  );
  if (first === undefined) return usual;
  if (json === undefined) return (facts) => renderOther(first, facts);
  const { schema, examples } = json;
  const mediaType = json.mediaType.includes('*') ? undefined : json.mediaType;
  const sample = compileSample(schema, examples[0]?.value);
  let fits: boolean | undefined = schema === undefined && examples.length === 0 ? true : undefined;
  return (facts) => {
    const body = usual(facts);
    fits ??= isTelling && schema?.validate(parseJson(body.text)).length === 0;
    return fits
      ? { ...body, ...(mediaType && { mediaType }) }
      : { text: renderJson(sample(facts)), mediaType: mediaType ?? 'application/json' };
  };
}

/** The example of the document, else the message; XML has it in an element. */
function renderOther(
  { mediaType, examples }: MediaType,
  { status, code, message }: ErrorFacts,
): ErrorBody {
  const example = examples[0]?.value;
  if (typeof example === 'string') return { text: example, mediaType };
  if (!/[/+]xml$/.test(mediaType)) return { text: message, mediaType };
  const escaped = message.replace(/[<&]/g, (character) => (character === '<' ? '&lt;' : '&amp;'));
  return {
    text: `<error><status>${status}</status><code>${code}</code><message>${escaped}</message></error>`,
    mediaType,
  };
}

/** In the document's error shape, made to fit where plain members do not; or as problem details. */
function compileUsual({ error }: Contract, isTelling: boolean): Render {
  if (error === undefined)
    return ({ status, title, message }) => ({
      text: renderJson({ title, status, detail: message }),
      mediaType: 'application/problem+json',
    });
  const { properties, required } = error.schema.shape();
  const members = error.members.filter(({ name, role }) => role !== 'other' || required.has(name));
  const fillers = members.map(({ name, role }) => ({
    name,
    fill: compileMember(role, properties.get(name)),
  }));
  const sample = compileSample(error.schema, undefined);
  let fits: boolean | undefined;
  return (facts) => {
    const body: Record<string, JsonValue> = {};
    for (const { name, fill } of fillers) addMember(body, name, fill(facts));
    fits ??= isTelling && error.schema.validate(body).length === 0;
    return { text: renderJson(fits ? body : sample(facts)), mediaType: 'application/json' };
  };
}

function compileMember(
  role: ErrorRole,
  schema: SchemaNode | undefined,
): (facts: ErrorFacts) => JsonValue {
  const { types = ['string'], values } = schema?.shape() ?? {};
  const isText = types.includes('string');
  // Where the document lists the codes, the code is one of them.
  const allowed = (code: JsonValue): JsonValue =>
    values === undefined || values.includes(code) ? code : (values[0] ?? code);
  switch (role) {
    case 'status':
      return ({ status }) => (isText && !types.includes('integer') ? `${status}` : status);
    case 'message':
      return ({ message }) => message;
    case 'code':
      return ({ code, status }) => allowed(isText ? code : status);
    case 'other':
    default:
      return () => (schema === undefined ? null : plainValue(schema, 0));
  }
}

type Path = readonly (string | number)[];

interface Change {
  readonly path: Path;
  readonly value: JsonValue;
}

/** What members say whose names mean it; the first that fits decides. */
const texts: readonly (readonly [name: RegExp, text: (facts: ErrorFacts) => string])[] = [
  [
    /^(?:message|msg|detail|details|description|reason|text)$|^(?:error|err|user)[-_]?(?:message|msg|description|detail|details|text)$/i,
    ({ message }) => message,
  ],
  [/^(?:title|summary)$/i, ({ title }) => title],
  [/^(?:http[-_]?)?(?:status|status[-_]?code)$/i, ({ status }) => `${status}`],
  [
    /^(?:code|error|errors|type|key|err)$|^(?:error|err)[-_]?(?:code|type|key|name)$/i,
    ({ code }) => code,
  ],
];

const statusName = /^(?:http[-_]?)?(?:status|code|status[-_]?code|error[-_]?code)$/i;

/** Members are looked for so deep. */
const mostDepth = 4;

/**
 * An error body that fits a schema: what the document shows, else a sample, in which members that
 * are named as such hold what a refusal says, wherever the schema takes it.
 */
function compileSample(
  schema: SchemaNode | undefined,
  shown: JsonValue | undefined,
): (facts: ErrorFacts) => JsonValue {
  if (typeof shown === 'string') return () => shown;
  let base: JsonValue | undefined = shown;
  return (facts) => {
    base ??= schema === undefined ? {} : sampleSchema(schema, { direction: 'response' }).value;
    const changes = sayMessage([...listChanges(base, facts, [])], facts);
    const whole = changes.reduce(applyChange, base);
    if (schema === undefined || schema.validate(whole).length === 0) return whole;
    const worst = schema.validate(base).length;
    return changes.reduce((value, change) => {
      const changed = applyChange(value, change);
      return schema.validate(changed).length <= worst ? changed : value;
    }, base);
  };
}

/** Where no member is for the message alone, one that names the error has it. */
function sayMessage(changes: readonly Change[], { message }: ErrorFacts): readonly Change[] {
  if (changes.some(({ value }) => value === message)) return changes;
  return changes.map((change) =>
    typeof change.value === 'string' && /^(?:errors?|err|title)$/i.test(nameOf(change.path))
      ? { ...change, value: message }
      : change,
  );
}

/** The member that a value is in, over the items of an array. */
function nameOf(path: Path): string {
  return path.findLast((part) => typeof part === 'string') ?? 'message';
}

function* listChanges(value: JsonValue, facts: ErrorFacts, path: Path): Generator<Change> {
  const name = nameOf(path);
  if (typeof value === 'string') {
    const found = texts.find(([form]) => form.test(name));
    if (found !== undefined) yield { path, value: found[1](facts) };
  } else if (typeof value === 'number' && statusName.test(name)) {
    yield { path, value: facts.status };
  } else if (path.length < mostDepth && typeof value === 'object' && value !== null) {
    const members = isJsonArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
    for (const [part, member] of members)
      yield* listChanges(member ?? null, facts, [...path, part]);
  }
}

function applyChange(value: JsonValue, { path: [part, ...rest], value: next }: Change): JsonValue {
  if (part === undefined) return next;
  const inner = { path: rest, value: next };
  if (isJsonArray(value))
    return value.map((item, index) => (index === part ? applyChange(item, inner) : item));
  return isJsonObject(value)
    ? { ...value, [part]: applyChange(value[part] ?? null, inner) }
    : value;
}

/** Reason phrases of the statuses of refusals (RFC 9110 section 15, RFC 6585). */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
