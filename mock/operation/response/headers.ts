import type { Contract } from '../../../contract/contract.ts';
import type { Deprecation, Operation } from '../../../contract/openapi/operation.ts';
import { addAll } from '../../../contract/list/list.ts';
import type { SecurityAlternative, SecurityScheme } from '../../../contract/openapi/credential.ts';
import type { Choices } from '../../choice/choices.ts';
import { fieldText, joinWithin } from '../../http/field.ts';
import { dateOf } from '../../http/instant.ts';
import type { LimitReading } from '../../rate-limit/limiter.ts';
import { type CorsHeaders, experimentalHeader } from './cors.ts';

/** What the headers of a response say, as data. Every other step hands over facts and no header. */
export interface HeaderFacts {
  /** Methods of the path. */
  readonly allow?: readonly string[];
  /** The response answers a preflight for these methods (Fetch standard, CORS protocol). */
  readonly preflight?: readonly string[];
  /** Media types that the body of the request may have. */
  readonly accept?: string;
  /** Content codings that the body of the request may have. */
  readonly acceptEncoding?: string;
  readonly challenge?: Challenge;
  /** Seconds to wait before the next request. */
  readonly retryAfter?: number;
  /** Reference to the item that was created. */
  readonly location?: string | undefined;
  /** Reference to the next page. */
  readonly next?: string;
  /** Items of a list on all its pages. */
  readonly total?: number;
}

/** The credentials that are wanted; `wrong` says what is wrong with the one that was sent. */
interface Challenge {
  readonly security: readonly SecurityAlternative[];
  readonly wrong?: string | undefined;
}

/** What a header or member is called that has the number of items on all pages: without case and punctuation. */
export const totalNames: readonly string[] =
  'total totalcount totalitems totalelements totalresults totalrecords totalsize totalhits totalrows'.split(
    ' ',
  );

/** The header of a list that has the number of its items, such as `X-Total-Count`, by its name. */
export function tellsTotal(name: string): boolean {
  const words = name.toLowerCase().split('-');
  return words.some((_word, index) => totalNames.includes(words.slice(index).join('')));
}

/** A response to an operation says how many items there are. */
export function hasTotal(operation: Operation): boolean {
  return isDocumented(operation, tellsTotal);
}

/** Header lines: name, value, name, value. */
export type HeaderLines = readonly string[];

/** Writes the headers of responses for one document under one set of choices. */
export interface HeaderWriter {
  /** Those of every response of an operation; undefined: of what the document has not. */
  ofOperation(operation: Operation | undefined): HeaderLines;
  /** Adds those of the facts. `applied`: preferences followed, `code=429`; empty for none. */
  addFacts(headers: string[], facts: HeaderFacts, applied: string, now: number): void;
  ofRate(rate: LimitReading | undefined): HeaderLines;
}

/** Headers that a rule of this file sends where they are true, and that are never made up. */
export const ruledHeaders: ReadonlySet<string> = new Set([
  ...'accept accept-encoding allow deprecation link location preference-applied'.split(' '),
  ...'retry-after sunset vary www-authenticate'.split(' '),
  experimentalHeader.toLowerCase(),
]);

/** A browser takes no response for a page or script that is none: it shares its origin with a page. */
const noSniff: HeaderLines = ['X-Content-Type-Options', 'nosniff'];

function isNoSniff(name: string): boolean {
  return /^x-content-type-options$/i.test(name);
}

/**
 * What a document brings, such as HTML or SVG with a script, is shown without an origin and without
 * scripts: the control interface has the same origin (CSP Level 3, section 6.4.2).
 */
export const isolation: HeaderLines = ['Content-Security-Policy', 'sandbox'];

/** What goes with every response of a document. */
export interface CommonHeaders {
  readonly cors: CorsHeaders;
  readonly isolation: HeaderLines;
}

/** Some response of an operation has a header whose name is wanted. */
function isDocumented({ responses }: Operation, isWanted: (name: string) => boolean): boolean {
  return responses.some(({ headers }) => headers.some(({ name }) => isWanted(name)));
}

/** Compiles the rules of headers: one row is one rule. */
export function compileHeaders(
  contract: Contract,
  choices: Choices,
  { cors, isolation: isolating }: CommonHeaders,
): HeaderWriter {
  const names = contract.rateLimit?.headers;
  const isRetryAfterDate = choices.choose('retry-after-format').id === 'http-date';
  const isMarked = choices.choose('marks').id === 'marked';
  let paths: ReadonlyMap<string, string> | undefined;
  const addressOf = (id: string): string | undefined => {
    paths ??= new Map(contract.operations.map((one) => [one.id, one.path]));
    const path = paths.get(id);
    // A path with parameters has no one address.
    return path === undefined || path.includes('{') ? undefined : contract.basePath + path;
  };
  return {
    ofOperation(operation) {
      const headers = [
        ...(operation && isDocumented(operation, isNoSniff) ? [] : noSniff),
        ...isolating,
        ...cors.common,
      ];
      addDeprecation(headers, operation?.deprecation, addressOf);
      // Where some operations are marked, those that change something are.
      const isChange = operation !== undefined && !isSafeMethod(operation.method);
      if (isMarked && isChange) headers.push(experimentalHeader, 'true');
      return headers;
    },
    addFacts(headers, facts, applied, now) {
      const { allow, preflight, challenge, retryAfter: wait, next } = facts;
      // Seconds, or the date that many seconds from now (RFC 9110 section 10.2.3).
      const end =
        wait !== undefined && isRetryAfterDate
          ? renderHttpDate(Math.ceil(now / 1000 + wait) * 1000)
          : wait;
      addRow(headers, 'Allow', (allow ?? preflight)?.join(', '));
      addRow(headers, 'Accept', facts.accept);
      addRow(headers, 'Accept-Encoding', facts.acceptEncoding);
      addRow(headers, 'WWW-Authenticate', challenge && renderChallenges(challenge, contract.title));
      addRow(headers, names?.retryAfter ?? 'Retry-After', end?.toString());
      addRow(headers, 'Location', facts.location);
      addRow(headers, 'Link', next && `<${next}>; rel="next"`);
      if (applied !== '') headers.push('Preference-Applied', fieldText(applied), 'Vary', 'Prefer');
      if (preflight !== undefined) addAll(headers, cors.ofPreflight(preflight));
    },
    ofRate: (rate) =>
      rate === undefined || names === undefined
        ? []
        : [
            names.limit,
            `${rate.limit}`,
            names.remaining,
            `${rate.remaining}`,
            names.reset,
            `${Math.ceil(rate.resetAt / 1000)}`,
          ],
  };
}

function addRow(headers: string[], name: string, value: string | undefined): void {
  if (value !== undefined) headers.push(name, fieldText(value));
}

/** An instant, milliseconds since 1970, as IMF-fixdate (RFC 9110 section 5.6.7). */
export function renderHttpDate(instant: number): string {
  return dateOf(instant).toUTCString();
}

/** `Deprecation` (RFC 9745, only with a date), `Sunset` (RFC 8594) and `Link` (RFC 5829). */
function addDeprecation(
  headers: string[],
  { since, sunset, successor: id }: Partial<Deprecation> = {},
  addressOf: (id: string) => string | undefined,
): void {
  if (since !== undefined) headers.push('Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`);
  if (sunset !== undefined) headers.push('Sunset', renderHttpDate(Date.parse(sunset)));
  const address = id && addressOf(id);
  if (address) addRow(headers, 'Link', `<${address}>; rel="successor-version"`);
}

/** True for methods that only read (RFC 9110 section 9.2.1). */
export function isSafeMethod(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method);
}

/** `WWW-Authenticate`: a challenge for each scheme (RFC 9110 section 11.6.1); a bearer's for none. */
function renderChallenges({ security, wrong }: Challenge, title: string): string {
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
