import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { successResponse, documentedResponse } from '../../../contract/openapi/response.ts';
import type { Choices } from '../../choice/choices.ts';
import { fieldText } from '../../http/field.ts';
import { type MockResponse, originOf } from '../../http/message.ts';
import { compileCors } from './cors.ts';
import { type RenderErrorBody, compileErrorBody } from './error-body.ts';
import {
  type CommonHeaders,
  type HeaderFacts,
  type HeaderLines,
  type HeaderWriter,
  compileHeaders,
  isolation,
  renderHttpDate,
  ruledHeaders,
  tellsTotal,
} from './headers.ts';
import type { Moment, Outcome } from './outcome.ts';
import { isJsonContent, typeOf } from './representation.ts';
import { type SampleHeader, compileSampleHeaders } from './sample-headers.ts';

/** What is known of an operation's responses before there is a request. */
class Template {
  readonly operation: Operation | undefined;
  readonly mediaType: string;
  readonly headers: HeaderLines;
  /** By status, filled when the status is first sent. */
  readonly samples = new Map<number, readonly SampleHeader[]>();
  /** By status: whether `Location` has to be an absolute URI. */
  readonly absolute = new Map<number, boolean>();
  /** `Content-Type` by status and media type; undefined where each is its media type. */
  readonly #contentTypes: Map<string, string> | undefined;

  constructor(operation: Operation | undefined, headers: HeaderLines) {
    this.operation = operation;
    this.headers = headers;
    const { content = [] } = (operation && successResponse(operation)) ?? {};
    const usual = content.find(isJsonContent) ?? content[0];
    this.mediaType = usual === undefined ? 'application/json' : typeOf(usual);
    const isNamed = operation?.responses.some((response) =>
      response.content.some(
        ({ name, mediaType }) => name !== mediaType || fieldText(name) !== name,
      ),
    );
    this.#contentTypes = isNamed === true ? new Map() : undefined;
  }

  /** The documented type with its parameters, as the document writes it. */
  contentType(status: number, mediaType: string): string {
    if (this.#contentTypes === undefined) return mediaType;
    if (mediaType.includes(';')) return fieldText(mediaType);
    const key = `${status} ${mediaType}`;
    const known = this.#contentTypes.get(key);
    if (known !== undefined) return known;
    const content = this.operation && documentedResponse(this.operation, status)?.content;
    const found = content?.find((one) => one.mediaType === mediaType && one.name.includes(';'));
    const type = fieldText(found?.name ?? mediaType);
    this.#contentTypes.set(key, type);
    return type;
  }
}

/** Composes responses: status, headers and body. Nothing else of the mock writes any of them. */
export class ResponseRenderer {
  readonly #writer: HeaderWriter;
  readonly #renderErrorBody: RenderErrorBody;
  /** Names of headers that are sent anyway, and of those that a rule sends where they are true. */
  readonly #sent: ReadonlySet<string>;
  readonly #ruled: ReadonlySet<string>;
  readonly #templates = new Map<Operation | undefined, Template>();
  /** Most responses share the second of the one before. */
  #second = Number.NaN;
  #date = '';

  /** For a document under one set of choices. */
  constructor(
    contract: Contract,
    choices: Choices,
    common: CommonHeaders = { cors: compileCors(contract), isolation },
  ) {
    this.#writer = compileHeaders(contract, choices, common);
    this.#renderErrorBody = compileErrorBody(contract, choices);
    const { limit, remaining, reset, retryAfter } = contract.rateLimit?.headers ?? {};
    this.#sent = new Set(listNames(limit, remaining, reset));
    this.#ruled = new Set([...ruledHeaders, ...listNames(retryAfter)]);
  }

  /** `operation`: undefined for what the document does not describe. */
  render(operation: Operation | undefined, outcome: Outcome, moment: Moment): MockResponse {
    const { now, rate, applied } = moment;
    const { status, facts } = outcome;
    const template = this.#templateOf(operation);
    const { text, mediaType } =
      outcome.kind === 'success'
        ? { text: outcome.body, mediaType: outcome.mediaType ?? template.mediaType }
        : this.#renderErrorBody(operation, outcome);
    const headers = [
      'Date',
      this.#renderDate(now),
      ...template.headers,
      ...this.#writer.ofRate(rate),
    ];
    if (facts !== undefined || applied !== '')
      this.#writer.addFacts(headers, locate(facts, template, status, moment), applied, now);
    const body = isBodiless(status) ? '' : text;
    if (body !== '') headers.push('Content-Type', template.contentType(status, mediaType));
    if (operation !== undefined)
      for (const { name, render } of this.#samplesOf(template, operation, status))
        if (isPolicy(name) || !hasHeader(headers, name)) {
          const isTotal = facts?.total !== undefined && tellsTotal(name);
          headers.push(name, isTotal ? `${facts.total}` : render(moment, body));
        }
    return { status, headers, body };
  }

  #templateOf(operation: Operation | undefined): Template {
    const known = this.#templates.get(operation);
    if (known !== undefined) return known;
    const compiled = new Template(operation, this.#writer.ofOperation(operation));
    this.#templates.set(operation, compiled);
    return compiled;
  }

  #samplesOf({ samples }: Template, operation: Operation, status: number): readonly SampleHeader[] {
    const known = samples.get(status);
    if (known !== undefined) return known;
    const { headers = [] } = documentedResponse(operation, status) ?? {};
    const compiled = compileSampleHeaders(
      headers.filter(({ name, required }) => {
        const key = name.toLowerCase();
        return !this.#sent.has(key) && (required || !this.#ruled.has(key));
      }),
    );
    samples.set(status, compiled);
    return compiled;
  }

  #renderDate(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#date = renderHttpDate(now);
    this.#second = second;
    return this.#date;
  }
}

function listNames(...names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => name?.toLowerCase() ?? []);
}

const noFacts: Readonly<HeaderFacts> = {};

/** The facts with a `Location` of the form that the document describes. */
function locate(
  facts: HeaderFacts = noFacts,
  { operation, absolute }: Template,
  status: number,
  { request }: Moment,
): HeaderFacts {
  const { location } = facts;
  if (location === undefined || operation === undefined) return facts;
  const isAbsolute = absolute.get(status) ?? wantsAbsolute(operation, status, location);
  absolute.set(status, isAbsolute);
  if (!isAbsolute) return facts;
  const origin = request === undefined ? 'http://localhost' : originOf(request);
  return { ...facts, location: origin + location };
}

/** A relative reference does not fit the documented header, and an absolute URI does. */
function wantsAbsolute(operation: Operation, status: number, location: string): boolean {
  const headers = documentedResponse(operation, status)?.headers ?? [];
  const schema = headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
  const fits = (value: string): boolean => schema?.validate(value).length === 0;
  return schema !== undefined && !fits(location) && fits(`http://localhost${location}`);
}

/** These end with their headers (RFC 9110 section 6.4.1); a reset has no content either. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304 || status < 200;
}

/** A documented policy counts besides ours: browsers enforce both (CSP Level 3, section 2.2). */
function isPolicy(name: string): boolean {
  return /^content-security-policy$/i.test(name);
}

function hasHeader(headers: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  return headers.some((one, at) => at % 2 === 0 && one.toLowerCase() === wanted);
}
