import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { successResponse, documentedResponse } from '../../../contract/openapi/response.ts';
import type { Choices } from '../../choice/choices.ts';
import { fieldText } from '../../http/field.ts';
import { type MockRequest, type MockResponse, originOf } from '../../http/message.ts';
import type { LimitReading } from '../../rate-limit/limiter.ts';
import { compileCors } from './cors.ts';
import { type ErrorBody, compileErrorBody } from './error-body.ts';
import {
  type CommonHeaders,
  type HeaderFacts,
  type HeaderLines,
  compileHeaders,
  isolation,
  renderHttpDate,
  ruledHeaders,
  tellsTotal,
} from './headers.ts';
import type { Outcome } from './outcome.ts';
import { compileRateLimitedBody } from './rate-limited.ts';
import { isJsonContent, typeOf } from './representation.ts';
import { type SampleHeader, compileSampleHeaders } from './sample-headers.ts';

/** What a response contains besides its outcome. */
export interface Moment {
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly now: number;
  /** Undefined where nothing is counted. */
  readonly rate: LimitReading | undefined;
  /** Preferences that were followed; `` for none. */
  readonly applied: string;
  /** As on the request line. */
  readonly target: string;
  /** Whose origin addresses have; undefined where none is known. */
  readonly request?: MockRequest;
  /** Name of the sandbox, and the number of the request there. */
  readonly sandbox: string;
  readonly index: number;
}

/** Composes responses: status, headers and body. Nothing else of the mock writes any of them. */
export interface ResponseRenderer {
  /** `operation`: undefined for what the document does not describe. */
  render(operation: Operation | undefined, outcome: Outcome, moment: Moment): MockResponse;
}

/** What is known of an operation's responses before there is a request. */
interface Template {
  readonly mediaType: string;
  readonly headers: HeaderLines;
  /**
   * `Content-Type` by status and media type, as the document writes it; undefined where each is its
   * media type.
   */
  readonly contentTypes: Map<string, string> | undefined;
  /** By status, filled when the status is first sent. */
  readonly samples: Map<number, readonly SampleHeader[]>;
  /** By status: whether `Location` has to be an absolute URI. */
  readonly absolute: Map<number, boolean>;
}

const noFacts: Readonly<HeaderFacts> = {};

/** The renderer for a document under one set of choices. */
export function createResponseRenderer(
  contract: Contract,
  choices: Choices,
  common: CommonHeaders = { cors: compileCors(contract), isolation },
): ResponseRenderer {
  const writer = compileHeaders(contract, choices, common);
  const renderErrorBody = compileErrorBody(contract, choices);
  const renderRateLimited = compileRateLimitedBody(choices, renderErrorBody);
  const renderDate = createDates();
  const compileTemplate = (operation: Operation | undefined): Template => ({
    mediaType: successMediaType(operation),
    headers: writer.ofOperation(operation),
    contentTypes: hasTypeNames(operation) ? new Map() : undefined,
    samples: new Map(),
    absolute: new Map(),
  });
  const { limit, remaining, reset, retryAfter } = contract.rateLimit?.headers ?? {};
  const sent = listNames(limit, remaining, reset);
  const ruled = new Set([...ruledHeaders, ...listNames(retryAfter)]);
  const samplesOf = (
    { samples }: Template,
    operation: Operation,
    status: number,
  ): readonly SampleHeader[] => {
    const known = samples.get(status);
    if (known !== undefined) return known;
    const documented = documentedResponse(operation, status)?.headers ?? [];
    const compiled = compileSampleHeaders(
      documented.filter(
        ({ name, required }) =>
          !sent.has(name.toLowerCase()) && (required || !ruled.has(name.toLowerCase())),
      ),
    );
    samples.set(status, compiled);
    return compiled;
  };
  const contentOf = (
    operation: Operation | undefined,
    outcome: Outcome,
    template: Template,
  ): ErrorBody => {
    if (outcome.kind === 'success')
      return { text: outcome.body, mediaType: outcome.mediaType ?? template.mediaType };
    const { status, reason, message } = outcome;
    const isOverLimit = reason === 'rate_limited' || reason === 'banned';
    return (isOverLimit ? renderRateLimited : renderErrorBody)(operation, status, reason, message);
  };
  const locate = (
    facts: HeaderFacts = noFacts,
    operation: Operation | undefined,
    status: number,
    { request }: Moment,
  ): HeaderFacts => {
    const { location } = facts;
    if (location === undefined || operation === undefined) return facts;
    const { absolute } = templateOf(operation);
    const isAbsolute = absolute.get(status) ?? wantsAbsolute(operation, status, location);
    absolute.set(status, isAbsolute);
    if (!isAbsolute) return facts;
    const origin = request === undefined ? 'http://localhost' : originOf(request);
    return { ...facts, location: origin + location };
  };
  const templates = new Map<Operation | undefined, Template>();
  const templateOf = (operation: Operation | undefined): Template => {
    const known = templates.get(operation);
    if (known !== undefined) return known;
    const compiled = compileTemplate(operation);
    templates.set(operation, compiled);
    return compiled;
  };
  return {
    render(operation, outcome, moment) {
      const { now, rate, applied } = moment;
      const { status, facts } = outcome;
      const template = templateOf(operation);
      const { text, mediaType } = contentOf(operation, outcome, template);
      const headers = ['Date', renderDate(now), ...template.headers, ...writer.ofRate(rate)];
      if (facts !== undefined || applied !== '')
        writer.addFacts(headers, locate(facts, operation, status, moment), applied, now);
      const body = isBodiless(status) ? '' : text;
      if (body !== '')
        headers.push('Content-Type', contentTypeOf(template, operation, status, mediaType));
      if (operation !== undefined)
        for (const sample of samplesOf(template, operation, status))
          if (isPolicy(sample.name) || !hasHeader(headers, sample.name))
            headers.push(
              sample.name,
              facts?.total !== undefined && tellsTotal(sample.name)
                ? `${facts.total}`
                : sample.render(moment, body),
            );
      return { status, headers, body };
    },
  };
}

/** A relative reference does not fit the documented header, and an absolute URI does. */
function wantsAbsolute(operation: Operation, status: number, location: string): boolean {
  const headers = documentedResponse(operation, status)?.headers ?? [];
  const schema = headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
  const fits = (value: string): boolean => schema?.validate(value).length === 0;
  return schema !== undefined && !fits(location) && fits(`http://localhost${location}`);
}

function successMediaType(operation: Operation | undefined): string {
  const response = operation && successResponse(operation);
  const content = response?.content.find(isJsonContent) ?? response?.content[0];
  return content === undefined ? 'application/json' : typeOf(content);
}

/** These end with their headers (RFC 9110 section 6.4.1); a reset has no content either. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304 || status < 200;
}

/** Some type of an operation is written in another way than as its media type. */
function hasTypeNames(operation: Operation | undefined): boolean {
  return (operation?.responses ?? []).some(({ content }) =>
    content.some(({ name, mediaType }) => name !== mediaType || fieldText(name) !== name),
  );
}

/** The documented type with its parameters. */
function contentTypeOf(
  { contentTypes }: Template,
  operation: Operation | undefined,
  status: number,
  mediaType: string,
): string {
  if (contentTypes === undefined) return mediaType;
  if (mediaType.includes(';')) return fieldText(mediaType);
  const key = `${status} ${mediaType}`;
  const known = contentTypes.get(key);
  if (known !== undefined) return known;
  const content = operation && documentedResponse(operation, status)?.content;
  const found = content?.find((one) => one.mediaType === mediaType && one.name.includes(';'));
  const type = fieldText(found?.name ?? mediaType);
  contentTypes.set(key, type);
  return type;
}

function listNames(...names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase()])));
}

/** A documented policy counts besides ours: browsers enforce both (CSP Level 3, section 2.2). */
function isPolicy(name: string): boolean {
  return /^content-security-policy$/i.test(name);
}

function hasHeader(headers: readonly string[], name: string): boolean {
  const wanted = name.toLowerCase();
  return headers.some((one, at) => at % 2 === 0 && one.toLowerCase() === wanted);
}

/** Renders dates, each second only once: most responses share the second of the one before. */
function createDates(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const current = Math.floor(now / 1000);
    if (current !== second) text = renderHttpDate(now);
    second = current;
    return text;
  };
}
