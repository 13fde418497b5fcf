import { renderJson } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import {
  type ResponseContract,
  successStatus,
  documentedResponse,
} from '../../../contract/openapi/response.ts';
import { fieldText } from '../../http/field.ts';
import { type Delivery, type MockResponse, atOnce } from '../../http/message.ts';
import { type Outcome, success } from '../../operation/response/outcome.ts';
import {
  factsOf,
  findExample,
  isJsonContent,
  showDocumented,
  typeOf,
} from '../../operation/response/representation.ts';
import type { StubResponse } from '../declaration/schemas.ts';

/** A response of a stub to requests of one operation, before it is rendered. */
export interface StubbedResponse {
  readonly outcome: Outcome;
  /** With the headers and the delay of the stub. */
  readonly alter: (response: MockResponse) => MockResponse;
}

/** Composes a response; what the stub leaves out comes from the document. */
export function composeResponse(
  response: StubResponse,
  operation: Operation | undefined,
): StubbedResponse {
  const bytes = response.base64 === undefined ? undefined : decodeBytes(response.base64);
  return {
    outcome: composeOutcome(response, operation, bytes),
    alter: (rendered) => alter(rendered, response, bytes),
  };
}

function composeOutcome(
  response: StubResponse,
  operation: Operation | undefined,
  bytes: Uint8Array | undefined,
): Outcome {
  const example = exampleOf(operation, response);
  const status = statusOf(response, operation);
  const documented = operation && documentedResponse(operation, status);
  const { body, text } = response;
  if (body !== undefined || text !== undefined || bytes !== undefined) {
    const usual = text === undefined ? 'application/octet-stream' : 'text/plain; charset=utf-8';
    const isJson = body !== undefined;
    const mediaType = typeFor(documented, isJson, isJson ? 'application/json' : usual);
    const sent = isJson ? renderJson(body) : (text ?? new TextDecoder().decode(bytes));
    return { ...success(status, sent, factsOf(operation, status)), mediaType };
  }
  const message = `A stub responds with ${status}.`;
  return showDocumented(operation, status, example, 'stubbed', message);
}

/** The status of a response for an operation. */
export function statusOf(response: StubResponse, operation: Operation | undefined): number {
  const ofExample = Number(exampleOf(operation, response)?.response.status);
  const usual = operation === undefined ? 200 : successStatus(operation);
  return response.status ?? (Number.isInteger(ofExample) ? ofExample : usual);
}

/** The example that a response names, of its status if given. */
function exampleOf(
  operation: Operation | undefined,
  { example: name, status }: StubResponse,
): ReturnType<typeof findExample> {
  if (name === undefined || operation === undefined) return undefined;
  const own = status === undefined ? undefined : documentedResponse(operation, status);
  return findExample(own === undefined ? operation.responses : [own], name);
}

/** The names of the examples of an operation's responses, or of those of one status. */
export function exampleNames({ responses }: Operation, status?: number): readonly string[] {
  const own = responses.filter((one) => status === undefined || one.status === `${status}`);
  const names = own.flatMap(({ content }) =>
    content.flatMap(({ examples }) => examples.map(({ name }) => name)),
  );
  return [...new Set(names)].filter((name) => name !== '');
}

/** The media type that the document has for JSON, or for anything else. */
function typeFor(documented: ResponseContract | undefined, isJson: boolean, usual: string): string {
  const content = documented?.content.find((one) => isJsonContent(one) === isJson);
  return content === undefined ? usual : typeOf(content);
}

/** Undefined if it is not Base64 with padding. */
export function decodeBytes(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : undefined;
}

function alter(
  rendered: MockResponse,
  { headers = {}, delay = 0 }: StubResponse,
  content: Uint8Array | undefined,
): MockResponse {
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = rendered.headers.filter(
    (_, at) => !own.has(rendered.headers[at - (at % 2)]?.toLowerCase() ?? ''),
  );
  const added = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().flatMap((one) => [name, fieldText(one)]),
  );
  const before = rendered.delivery ?? atOnce;
  const delivery: Delivery = { ...before, delay: before.delay + delay, content };
  return {
    ...rendered,
    headers: [...kept, ...added],
    ...(content === undefined && delay === 0 ? {} : { delivery }),
  };
}
