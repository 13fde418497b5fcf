import type { Contract } from '../../../contract/contract.ts';
import { setMember } from '../../../contract/json/edit.ts';
import { withValueAt } from '../../../contract/json/place.ts';
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import type { ErrorRole } from '../../../contract/openapi/error-shape.ts';
import { type MediaType, isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import type { Refusal } from './refusal.ts';
import { type Change, changeWithin, typeOf, xmlText } from './representation.ts';

/** A refusal as the body of a response. */
interface ErrorBody {
  readonly text: string;
  readonly mediaType: string;
}

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
 * Refusals as bodies: in the shape that is documented for a status (`content`, empty if nothing is), else
 * in that of the document, else as problem details (RFC 9457).
 */
export function compileErrorBodies(
  contract: Contract,
  choices: Choices,
): (content: readonly MediaType[]) => (refusal: Refusal) => ErrorBody {
  const choice = choices.choose('error-code').id;
  const codeOf = (status: number, reason: string, title: string): string => {
    if (choice === 'status-phrase') return title.toUpperCase().replaceAll(' ', '_');
    return choice === 'status-number' ? `${status}` : reason;
  };
  const overLimit = choices.choose('rate-limit-body').id;
  return (content) => {
    const render = compileBody(content, contract);
    return ({ status, reason, message }) => {
      if (reason === 'rate_limited' || reason === 'banned') {
        if (overLimit === 'empty') return { text: '', mediaType: '' };
        if (overLimit === 'text') return { text: message, mediaType: 'text/plain; charset=utf-8' };
      }
      const title = phrases[status] ?? `Status ${status}`;
      return render({ status, code: codeOf(status, reason, title), title, message });
    };
  };
}

/** The usual body where it fits what is documented and has a message, else one made to fit. */
function compileBody(content: readonly MediaType[], { error }: Contract): Render {
  const json = content.find(
    ({ mediaType }) => isJsonMediaType(mediaType) || /^(?:\*|application)\/\*/.test(mediaType),
  );
  const [first] = content;
  if (json === undefined && first !== undefined) return (facts) => renderOther(first, facts);
  const { schema, examples = [] } = json ?? { schema: error?.schema };
  const usualType = error === undefined ? 'application/problem+json' : 'application/json';
  const isRange = json?.mediaType.includes('*') !== false;
  const sample = compileSample(schema, examples[0]?.value);
  const usual = compileUsual(error);
  const hasMessage = error?.members.some(({ role }) => role === 'message') === true;
  let fits: boolean | undefined = schema === undefined && examples.length === 0 ? true : undefined;
  return (facts) => {
    const body = usual(facts);
    fits ??= hasMessage && schema?.isValid(body) === true;
    const mediaType = fits ? usualType : 'application/json';
    return {
      text: renderJson(fits ? body : sample(facts)),
      mediaType: json === undefined || isRange ? mediaType : typeOf(json),
    };
  };
}

/** The example of the document, else the message; XML has it in an element. */
function renderOther(content: MediaType, { status, code, message }: ErrorFacts): ErrorBody {
  const example = content.examples[0]?.value;
  const xml = `<error><status>${status}</status><code>${code}</code><message>${xmlText(message)}</message></error>`;
  const made = /[/+]xml$/.test(content.mediaType) ? xml : message;
  return { text: typeof example === 'string' ? example : made, mediaType: typeOf(content) };
}

/** The members of the document's error shape that mean something, and those it requires; or problem details. */
function compileUsual(error: Contract['error']): (facts: ErrorFacts) => JsonValue {
  if (error === undefined)
    return ({ status, title, message }) => ({ title, status, detail: message });
  const { properties, required } = error.schema.shape();
  const members = error.members
    .filter(({ name, role }) => role !== 'other' || required.has(name))
    .map(({ name, role }) => ({ name, role, schema: properties.get(name) }));
  return (facts) => {
    const body: Record<string, JsonValue> = {};
    for (const { name, role, schema } of members)
      setMember(body, name, roleValue(role, schema, facts));
    return body;
  };
}

function roleValue(
  role: ErrorRole,
  schema: SchemaNode | undefined,
  { status, code, message }: ErrorFacts,
): JsonValue {
  if (role === 'message') return message;
  if (role === 'other') return schema === undefined ? null : plainValue(schema, 0);
  const { types = ['string'], values } = schema?.shape() ?? {};
  const isText = types.includes('string');
  if (role === 'status') return isText && !types.includes('integer') ? `${status}` : status;
  // Where the document lists the codes, the code is one of them.
  const own = isText ? code : status;
  return values === undefined || values.includes(own) ? own : (values[0] ?? own);
}

/** The plainest value: default, first allowed value, example, the instant, else a zero. */
export function plainValue(schema: SchemaNode, now: number): JsonValue {
  const { default: byDefault, examples, values, format, minimum, types } = schema.shape();
  const known = byDefault ?? values?.[0] ?? examples[0];
  if (known !== undefined) return known;
  const instant = new Date(now).toISOString();
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.slice(0, 10);
  if (types.includes('null')) return null;
  const [type = 'null'] = types;
  if (type === 'integer' || type === 'number') return minimum?.value ?? 0;
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'email') return 'someone@example.org';
  if (format === 'uri') return 'https://example.org/';
  return { string: '', boolean: false, null: null, array: [], object: {} }[type];
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
const maxDepth = 4;

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
    const members = [...namedMembers(base, [])];
    const hasMessage = members.some(
      ({ value, name }) => textFor(name, value, facts) === facts.message,
    );
    const changes = members.map(({ path, name, value }): Change => {
      // Where no member is for the message alone, one that names the error has it.
      const isNamed = /^(?:errors?|err|title)$/i.test(name) && typeof value === 'string';
      const said = !hasMessage && isNamed ? facts.message : textFor(name, value, facts);
      return (whole) => (said === undefined ? whole : replaceAt(whole, path, said));
    });
    return changeWithin(base, changes, schema);
  };
}

/** What the value of a member says of a refusal; undefined if its name means nothing. */
function textFor(name: string, value: JsonValue, facts: ErrorFacts): string | number | undefined {
  if (typeof value === 'number') return statusName.test(name) ? facts.status : undefined;
  return texts.find(([form]) => form.test(name))?.[1](facts);
}

/** The texts and numbers of a body, each with the member that it is in, over the first item of an array. */
function* namedMembers(
  value: JsonValue,
  path: readonly string[],
  name = 'message',
): Generator<{
  readonly path: readonly string[];
  readonly name: string;
  readonly value: JsonValue;
}> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, name, value };
  if (path.length >= maxDepth) return;
  if (isJsonArray(value)) yield* namedMembers(value[0] ?? null, [...path, '0'], name);
  else if (isJsonObject(value))
    for (const [member, inner = null] of Object.entries(value))
      yield* namedMembers(inner, [...path, member], member);
}

function replaceAt(
  value: JsonValue,
  [part, ...rest]: readonly string[],
  next: JsonValue,
): JsonValue {
  if (part === undefined) return next;
  if (isJsonArray(value)) return value.with(0, replaceAt(value[0] ?? null, rest, next));
  return isJsonObject(value)
    ? withValueAt(value, [part], replaceAt(value[part] ?? null, rest, next))
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
