import type { Contract } from '../../../contract/contract.ts';
import { addAll } from '../../../contract/list/list.ts';
import type { SecurityScheme } from '../../../contract/openapi/credential.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { documentedResponse, successResponse } from '../../../contract/openapi/response.ts';
import type { Choices } from '../../choice/choices.ts';
import { fieldText, joinWithin, renderHttpDate } from '../../http/field.ts';
import { type MockResponse, isBodiless, originOf, responseHeader } from '../../http/message.ts';
import type { LimitReading } from '../../rate-limit/limiter.ts';
import { type CorsHeaders, compileCors, experimentalHeader } from './cors.ts';
import { compileErrorBodies } from './error-body.ts';
import type { Moment, Outcome } from './outcome.ts';
import type { HeaderFacts } from './refusal.ts';
import { chooseContent, isTotalHeader, typeOf } from './representation.ts';
import { type SampleHeader, compileSampleHeaders } from './sample-headers.ts';

/** Header lines: name, value, name, value. */
type HeaderLines = readonly string[];

/** Headers that this file sends where they are true, and that are never made up. */
const ruledHeaders: ReadonlySet<string> = new Set([
  ...'accept accept-encoding allow deprecation link location preference-applied'.split(' '),
  ...'retry-after sunset vary www-authenticate'.split(' '),
  experimentalHeader.toLowerCase(),
]);

/**
 * What a document brings, such as HTML or SVG with a script, is shown without an origin and without
 * scripts: the control interface has the same origin (CSP Level 3, section 6.4.2).
 */
const isolation: HeaderLines = ['Content-Security-Policy', 'sandbox'];

/** What is known of the responses of an operation with one status before there is a request. */
interface Template {
  /** Of a success that says nothing else. */
  readonly mediaType: string;
  readonly headers: HeaderLines;
  readonly samples: readonly SampleHeader[];
  /** `Location` has to be an absolute URI: a relative reference does not fit the documented header. */
  readonly wantsAbsolute: (location: string) => boolean;
  readonly renderError: ReturnType<ReturnType<typeof compileErrorBodies>>;
}

/** Composes responses: status, headers and body. Nothing else of the mock writes any of them. */
export class ResponseRenderer {
  readonly #contract: Contract;
  #pathsById: ReadonlyMap<string, string> | undefined;
  readonly #cors: CorsHeaders;
  readonly #isolation: HeaderLines;
  readonly #compileErrorBody: ReturnType<typeof compileErrorBodies>;
  readonly #isRetryAfterDate: boolean;
  readonly #isMarked: boolean;
  /** Names of headers that are sent anyway, and of those that a rule sends where they are true. */
  readonly #sent: ReadonlySet<string>;
  readonly #ruled: ReadonlySet<string>;
  /** By operation and status. */
  readonly #templates = new Map<Operation | undefined, Map<number, Template>>();
  /** Most responses share the second of the one before. */
  #second = Number.NaN;
  #date = '';

  /** For a document under one set of choices; `common`: what goes with every response. */
  constructor(
    contract: Contract,
    choices: Choices,
    common: { readonly cors: CorsHeaders; readonly isolation: HeaderLines } = {
      cors: compileCors(contract),
      isolation,
    },
  ) {
    this.#contract = contract;
    this.#cors = common.cors;
    this.#isolation = common.isolation;
    this.#compileErrorBody = compileErrorBodies(contract, choices);
    this.#isRetryAfterDate = choices.choose('retry-after-format').id === 'http-date';
    this.#isMarked = choices.choose('marks').id === 'marked';
    const { limit, remaining, reset, retryAfter } = contract.rateLimit?.headers ?? {};
    this.#sent = new Set(lowerCase(limit, remaining, reset));
    this.#ruled = new Set([...ruledHeaders, ...lowerCase(retryAfter)]);
  }

  /** `operation`: undefined for what the document does not describe. */
  render(operation: Operation | undefined, outcome: Outcome, moment: Moment): MockResponse {
    const { now, rate, applied } = moment;
    const { status, facts } = outcome;
    const template = this.#templateOf(operation, status);
    const { samples, wantsAbsolute, renderError } = template;
    const { text, mediaType } =
      outcome.kind === 'success'
        ? { text: outcome.body, mediaType: outcome.mediaType ?? template.mediaType }
        : renderError(outcome);
    const headers = ['Date', this.#renderDate(now), ...template.headers];
    this.#addRate(headers, rate);
    if (facts !== undefined) {
      const { location } = facts;
      const { request } = moment;
      const origin = request === undefined ? 'http://localhost' : originOf(request);
      const isAbsolute = location !== undefined && wantsAbsolute(location);
      this.#addFacts(headers, isAbsolute ? { ...facts, location: origin + location } : facts, now);
    }
    if (applied !== '') headers.push('Preference-Applied', fieldText(applied), 'Vary', 'Prefer');
    if (facts?.preflight !== undefined) addAll(headers, this.#cors.ofPreflight(facts.preflight));
    const body = isBodiless(status) ? '' : text;
    if (body !== '') headers.push('Content-Type', mediaType);
    for (const { name, render } of samples)
      if (isPolicy(name) || responseHeader({ headers }, name) === undefined) {
        const isTotal = facts?.total !== undefined && isTotalHeader(name);
        headers.push(name, isTotal ? `${facts.total}` : render(moment, body));
      }
    return { status, headers, body };
  }

  #templateOf(operation: Operation | undefined, status: number): Template {
    const byStatus = this.#templates.get(operation) ?? new Map<number, Template>();
    const known = byStatus.get(status);
    if (known !== undefined) return known;
    const usual = operation && chooseContent(successResponse(operation)?.content ?? []);
    const { headers = [], content = [] } =
      (operation && documentedResponse(operation, status)) ?? {};
    const schema = headers.find(({ name }) => name.toLowerCase() === 'location')?.schema;
    const fits = (value: string): boolean => schema?.isValid(value) === true;
    let isAbsolute: boolean | undefined;
    const compiled = {
      mediaType: usual === undefined ? 'application/json' : typeOf(usual),
      headers: this.#headersOf(operation),
      renderError: this.#compileErrorBody(content),
      samples: compileSampleHeaders(
        headers.filter(({ name, required }) => {
          const key = name.toLowerCase();
          return !this.#sent.has(key) && (required || !this.#ruled.has(key));
        }),
      ),
      wantsAbsolute: (location: string) =>
        (isAbsolute ??=
          schema !== undefined && !fits(location) && fits(`http://localhost${location}`)),
    };
    this.#templates.set(operation, byStatus.set(status, compiled));
    return compiled;
  }

  #renderDate(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#date = renderHttpDate(now);
    this.#second = second;
    return this.#date;
  }

  /** Those of every response of an operation; undefined: of what the document does not have. */
  #headersOf(operation: Operation | undefined): HeaderLines {
    const documented = operation?.responses.flatMap(({ headers }) => headers) ?? [];
    const headers = [...this.#isolation, ...this.#cors.common];
    // A browser takes no response for a page or script that is none: it shares its origin with a page.
    if (!documented.some(({ name }) => /^x-content-type-options$/i.test(name)))
      headers.unshift('X-Content-Type-Options', 'nosniff');
    // RFC 9745, only with a date; RFC 8594; RFC 5829.
    const { since, sunset, successor } = operation?.deprecation ?? {};
    if (since !== undefined)
      headers.push('Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`);
    if (sunset !== undefined) headers.push('Sunset', renderHttpDate(Date.parse(sunset)));
    const { operations, basePath } = this.#contract;
    if (successor !== undefined)
      this.#pathsById ??= new Map(operations.map(({ id, path }) => [id, path]));
    const next = this.#pathsById?.get(successor ?? '');
    // A path with parameters has no one address.
    if (next !== undefined && !next.includes('{'))
      headers.push('Link', fieldText(`<${basePath}${next}>; rel="successor-version"`));
    // Where some operations are marked, those that change something are.
    const isChange = operation !== undefined && !isSafeMethod(operation.method);
    if (this.#isMarked && isChange) headers.push(experimentalHeader, 'true');
    return headers;
  }

  #addRate(headers: string[], rate: LimitReading | undefined): void {
    const names = this.#contract.rateLimit?.headers;
    if (rate === undefined || names === undefined) return;
    headers.push(
      names.limit,
      `${rate.limit}`,
      names.remaining,
      `${rate.remaining}`,
      names.reset,
      `${Math.ceil(rate.resetAt / 1000)}`,
    );
  }

  #addFacts(headers: string[], facts: HeaderFacts, now: number): void {
    const { allow, preflight, challenge, retryAfter: wait, next } = facts;
    const add = (name: string, value: string | undefined): void => {
      if (value !== undefined) headers.push(name, fieldText(value));
    };
    // Seconds, or the date that many seconds from now (RFC 9110 section 10.2.3).
    const end =
      wait !== undefined && this.#isRetryAfterDate
        ? renderHttpDate(Math.ceil(now / 1000 + wait) * 1000)
        : wait;
    const { title, rateLimit } = this.#contract;
    add('Allow', (allow ?? preflight)?.join(', '));
    add('Accept', facts.accept);
    add('Accept-Encoding', facts.acceptEncoding);
    add('WWW-Authenticate', challenge && renderChallenges(challenge, title));
    add(rateLimit?.headers.retryAfter ?? 'Retry-After', end?.toString());
    add('Location', facts.location);
    add('Link', next && `<${next}>; rel="next"`);
  }
}

function lowerCase(...names: readonly (string | undefined)[]): readonly string[] {
  return names.flatMap((name) => name?.toLowerCase() ?? []);
}

/** A documented policy counts besides ours: browsers enforce both (CSP Level 3, section 2.2). */
function isPolicy(name: string): boolean {
  return /^content-security-policy$/i.test(name);
}

/** True for methods that only read (RFC 9110 section 9.2.1). */
export function isSafeMethod(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method);
}

/** `WWW-Authenticate`: a challenge for each scheme (RFC 9110 section 11.6.1); a bearer's for none. */
function renderChallenges(
  { security, wrong }: NonNullable<HeaderFacts['challenge']>,
  title: string,
): string {
  const realm = `realm=${quoted(title)}`;
  const challenges = security
    .flat()
    .flatMap((scheme) => renderChallenge(scheme, realm, wrong) ?? []);
  return (
    joinWithin([...new Set(challenges)]) ||
    (renderChallenge({ kind: 'bearer', pointer: '' }, realm, wrong) ?? '')
  );
}

function renderChallenge(
  scheme: SecurityScheme,
  realm: string,
  wrong: string | undefined,
): string | undefined {
  // RFC 6750 section 3.
  const fault =
    wrong === undefined ? '' : `, error="invalid_token", error_description=${quoted(wrong)}`;
  switch (scheme.kind) {
    case 'bearer':
      return `Bearer ${realm}${fault}`;
    case 'api-key':
      return `ApiKey ${realm}, in="${scheme.in}", name=${quoted(scheme.name)}${fault}`;
    case 'basic':
      return `Basic ${realm}, charset="UTF-8"`;
    case 'http': {
      const name = scheme.scheme.replace(/[^\w!#$%&'*+.^`|~-]/g, '-');
      return `${name} ${realm}${scheme.scheme === 'digest' ? ', nonce="0", qop="auth"' : ''}`;
    }
    case 'mutual-tls':
    default:
      return undefined;
  }
}

function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7E]/g, '?').replace(/["\\]/g, '\\$&')}"`;
}
