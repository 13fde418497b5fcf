import type { Contract } from '../../../contract/contract.ts';
import type { ErrorRole } from '../../../contract/openapi/error-shape.ts';
import {
  type JsonObject,
  type JsonValue,
  addMember,
  parseJson,
  renderJson,
} from '../../../contract/json/value.ts';
import { type MediaType, isJsonMediaType } from '../../../contract/openapi/media-type.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { type ResponseContract, documentedResponse } from '../../../contract/openapi/response.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import type { Choices } from '../../choice/choices.ts';
import { compileErrorSample } from './error-sample.ts';
import { plainValue } from './plain-value.ts';

/** A refusal as the body of a response. */
export interface ErrorBody {
  readonly text: string;
  readonly mediaType: string;
}

/** `operation`: undefined for what the document does not describe. */
export type RenderErrorBody = (
  operation: Operation | undefined,
  status: number,
  reason: string,
  message: string,
) => ErrorBody;

type Render = (status: number, reason: string, message: string) => ErrorBody;

/**
 * Refusals as bodies: in the shape that the operation documents for the status, else in that of the
 * document, else as problem details (RFC 9457).
 */
export function compileErrorBody(contract: Contract, choices: Choices): RenderErrorBody {
  const renderCode = compileCode(choices);
  const isTelling = contract.error?.members.some(({ role }) => role === 'message') === true;
  const usual = compileUsual(contract, isTelling, renderCode);
  const known = new Map<Operation, Map<number, Render>>();
  const compile = (operation: Operation, status: number): Render => {
    const response = documentedResponse(operation, status);
    return response === undefined
      ? usual
      : compileDocumented(response, { usual, isTelling }, renderCode);
  };
  return (operation, status, reason, message) => {
    if (operation === undefined) return usual(status, reason, message);
    const found = known.get(operation)?.get(status);
    if (found !== undefined) return found(status, reason, message);
    const ofOperation = known.get(operation) ?? new Map<number, Render>();
    known.set(operation, ofOperation);
    const render = compile(operation, status);
    ofOperation.set(status, render);
    return render(status, reason, message);
  };
}

/** The body of a documented response: the usual one where it fits and has a message, else one made to fit. */
function compileDocumented(
  { content }: ResponseContract,
  { usual, isTelling }: Readonly<{ usual: Render; isTelling: boolean }>,
  renderCode: (status: number, reason: string) => string,
): Render {
  const [first] = content;
  const json = content.find(
    ({ mediaType }) => isJsonMediaType(mediaType) || mediaType.includes('*'),
  );
  if (first === undefined) return usual;
  if (json === undefined)
    return (status, reason, message) => renderOther(first, { status, reason, message });
  const { schema, examples } = json;
  const mediaType = json.mediaType.includes('*') ? undefined : json.mediaType;
  if (schema === undefined && examples.length === 0)
    return (...refusal) => ({ ...usual(...refusal), ...(mediaType && { mediaType }) });
  const sample = compileErrorSample(schema, examples[0]?.value);
  let fits: boolean | undefined;
  return (status, reason, message) => {
    const body = usual(status, reason, message);
    fits ??= isTelling && schema?.validate(parseJson(body.text)).length === 0;
    const text = fits
      ? body.text
      : renderJson(
          sample({
            status,
            code: renderCode(status, reason),
            title: statusPhrase(status),
            message,
          }),
        );
    return { text, mediaType: mediaType ?? (fits ? body.mediaType : 'application/json') };
  };
}

/** The example of the document, else the message; XML has it in an element. */
function renderOther(
  { mediaType, examples }: MediaType,
  { status, reason, message }: Readonly<{ status: number; reason: string; message: string }>,
): ErrorBody {
  const example = examples[0]?.value;
  if (typeof example === 'string') return { text: example, mediaType };
  if (!/[/+]xml$/.test(mediaType)) return { text: message, mediaType };
  const escaped = message.replace(/[<&]/g, (character) => (character === '<' ? '&lt;' : '&amp;'));
  return {
    text: `<error><status>${status}</status><code>${reason}</code><message>${escaped}</message></error>`,
    mediaType,
  };
}

/** In the document's error shape, made to fit where plain members do not; or as problem details. */
function compileUsual(
  { error }: Contract,
  isTelling: boolean,
  renderCode: (status: number, reason: string) => string,
): Render {
  if (error === undefined) return renderProblem;
  const { properties, required } = error.schema.shape();
  const members = error.members.filter(({ name, role }) => role !== 'other' || required.has(name));
  const fillers = members.map(({ name, role }) => ({
    name,
    fill: compileMember(role, properties.get(name), renderCode),
  }));
  const sample = compileErrorSample(error.schema, undefined);
  let fits: boolean | undefined;
  return (status, reason, message) => {
    const body: Record<string, JsonValue> = {};
    for (const { name, fill } of fillers) addMember(body, name, fill(status, reason, message));
    fits ??= isTelling && error.schema.validate(body).length === 0;
    const shown = fits
      ? body
      : sample({ status, code: renderCode(status, reason), title: statusPhrase(status), message });
    return { text: renderJson(shown), mediaType: 'application/json' };
  };
}

type Fill = (status: number, reason: string, message: string) => JsonValue;

function compileMember(
  role: ErrorRole,
  schema: SchemaNode | undefined,
  renderCode: (status: number, reason: string) => string,
): Fill {
  const shape = schema?.shape();
  const isText = shape === undefined || shape.types.includes('string');
  switch (role) {
    case 'status':
      return (status) =>
        isText && shape?.types.includes('integer') !== true ? `${status}` : status;
    case 'message':
      return (_status, _reason, message) => message;
    case 'code':
      return (status, reason) =>
        allowed(shape?.values, isText ? renderCode(status, reason) : status);
    case 'other':
    default:
      return () => (schema === undefined ? null : plainValue(schema, 0));
  }
}

/** Where the document lists the codes, the code is one of them. */
function allowed(values: readonly JsonValue[] | undefined, code: JsonValue): JsonValue {
  return values === undefined || values.includes(code) ? code : (values[0] ?? code);
}

function compileCode(choices: Choices): (status: number, reason: string) => string {
  switch (choices.choose('error-code').id) {
    case 'status-phrase':
      return (status) => statusPhrase(status).toUpperCase().replaceAll(' ', '_');
    case 'status-number':
      return (status) => `${status}`;
    default:
      return (_status, reason) => reason;
  }
}

function renderProblem(status: number, _reason: string, message: string): ErrorBody {
  const problem: JsonObject = { title: statusPhrase(status), status, detail: message };
  return { text: renderJson(problem), mediaType: 'application/problem+json' };
}

/** Reason phrases of the statuses of refusals (RFC 9110 section 15, RFC 6585). */
const phrases: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Content'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

/** The reason phrase of a status. */
function statusPhrase(status: number): string {
  return phrases.get(status) ?? `Status ${status}`;
}
