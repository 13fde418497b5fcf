import type { Contract } from '../contract/contract.ts';
import { decodePercent } from '../contract/source/percent.ts';
import {
  isCredential,
  renderCredential,
  type CredentialField,
} from '../contract/openapi/credential.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import {
  cookiesOf,
  createRedaction,
  type Exchange,
  fieldOf,
  notTested,
  readCookies,
  type Redact,
  redactedKey,
  redactOutcome,
  requirementId,
  requirementsOf,
  type Verdict,
} from '../conformance/index.ts';
import type { RecordedExchange, RecordedHeaders } from './recorded.ts';
import type { Failed, RedactKeys } from './tally.ts';

/** Fields with secrets in any service, in lower case. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'set-cookie2',
]);

/** Names that suggest a secret: `X-Api-Key`, `access_token`. */
const secretName =
  /(^|[-_.])(api-?_?key|key|token|secret|password|passwd|pwd|session|signature|sig|auth|jwt)s?$/i;

/** Whether a header or query parameter may contain a key, judging by its name only. */
export function isSecretName(name: string): boolean {
  return secretFields.has(name.toLowerCase()) || secretName.test(name);
}

/** The places in which requests to some operations carry credentials. */
export function listCredentialFields(operations: readonly Operation[]): readonly CredentialField[] {
  const fields = operations
    .flatMap(({ security }) => security.flat())
    .filter(isCredential)
    .flatMap((credential) => renderCredential(credential, '') ?? []);
  return [...new Map(fields.map((field) => [`${field.in} ${field.name}`, field])).values()];
}

/** The value of a credential field in a request; empty if missing. */
export function readField(
  { in: place, name }: CredentialField,
  headers: RecordedHeaders,
  query: URLSearchParams,
): string {
  if (place === 'query') return query.get(name) ?? '';
  if (place === 'header') return fieldOf(headers, name.toLowerCase()) ?? '';
  return cookiesOf(headers).find(([each]) => each === name)?.[1] ?? '';
}

/**
 * Whether a request has none of the credentials that the operation accepts, nor anything that it
 * might accept as one. False if the operation allows requests without.
 */
export function lacksCredential(
  contract: Contract,
  operation: Operation,
  headers: RecordedHeaders,
  query: URLSearchParams,
): boolean {
  if (!requirementsOf(contract).has(requirementId.auth(operation.id, 'missing'))) return false;
  if (fieldOf(headers, 'authorization') !== undefined) return false;
  return listCredentialFields([operation]).every(
    (field) => readField(field, headers, query) === '',
  );
}

/** Whether any request of a recording has a credential, so that credentials were not stripped. */
export function showsCredentials(
  { operations }: Contract,
  exchanges: readonly RecordedExchange[],
): boolean {
  const fields = listCredentialFields(operations);
  return exchanges.some(({ request: { url, headers } }) => {
    const query = new URLSearchParams(url.split('?')[1] ?? '');
    return fields.some((field) => readField(field, headers, query) !== '');
  });
}

/** Most keys that are remembered; the least recently seen are dropped. */
const most = 256;

/** If only its name suggests a key, a shorter value is not one, but a language or a column name. */
const shortestGuess = 8;

/** Collects the keys in exchanges, so that they can be removed from all output. */
export class Secrets {
  /**
   * Names, in lower case, of headers and query parameters that carry the document's credentials.
   */
  readonly #own: ReadonlySet<string>;
  readonly #redactions = new Map<string, Redact>();
  readonly #secretNames = new Map<string, boolean>();

  constructor({ operations }: Contract) {
    this.#own = new Set(listCredentialFields(operations).map(({ name }) => name.toLowerCase()));
  }

  /** Whether a header or query parameter contains a key, judging by its name. */
  readonly isSecret = (name: string): boolean => {
    const known = this.#secretNames.get(name);
    if (known !== undefined) return known;
    const isOne = this.#own.has(name.toLowerCase()) || isSecretName(name);
    if (this.#secretNames.size >= most) this.#secretNames.clear();
    this.#secretNames.set(name, isOne);
    return isOne;
  };

  /** Remembers the keys of an exchange. */
  note(recorded: RecordedExchange): void {
    for (const [key, name] of this.#keysIn(recorded)) this.#add(key, name);
  }

  /** The keys of an exchange, each with the name of its field in lower case. */
  *#keysIn({ request, response }: RecordedExchange): Generator<readonly [string, string]> {
    for (const headers of [request.headers, response?.headers ?? []])
      for (const [field, value] of headers) {
        const name = field.toLowerCase();
        if (this.isSecret(field)) for (const key of keysOf(name, value)) yield [key, name];
      }
    const [, query = ''] = request.url.split('?');
    if (query !== '')
      for (const [name, value] of new URLSearchParams(query))
        if (this.isSecret(name)) yield [value, name.toLowerCase()];
  }

  #add(key: string, name: string): void {
    const isSure = this.#own.has(name) || name.endsWith('authorization');
    if (key === '' || key === redactedKey || (!isSure && key.length < shortestGuess)) return;
    const known = this.#redactions.get(key) ?? createRedaction(key);
    this.#redactions.delete(key);
    const [oldest] = this.#redactions.size >= most ? this.#redactions.keys() : [];
    if (oldest !== undefined) this.#redactions.delete(oldest);
    this.#redactions.set(key, known);
  }

  /** Removes the keys of an exchange that was just noted: later ones may push them out of memory. */
  redactOwn(recorded: RecordedExchange): RedactKeys {
    let own: readonly Redact[] | undefined;
    const list = () =>
      [...this.#keysIn(recorded)].flatMap(([key]) => this.#redactions.get(key) ?? []);
    const redact: Redact = (text) => (own ??= list()).reduce((left, each) => each(left), text);
    return {
      exchange: (exchange) => this.#redactExchange(exchange, redact),
      finding: (finding) => {
        if (finding.kind === 'passed') return finding;
        return finding.kind === 'failed'
          ? redactFailure(finding, redact)
          : { ...finding, reason: redact(finding.reason) };
      },
    };
  }

  /** Removes all remembered keys from a text. */
  readonly redact: Redact = (text) => {
    let left = text;
    for (const redact of this.#redactions.values()) left = redact(left);
    return left;
  };

  /** Also removes the values of query parameters that contain keys. */
  redactTarget(target: string, redact = this.redact): string {
    const [path = '', ...rest] = target.split('?');
    if (rest.length === 0) return redact(path);
    const query = rest
      .join('?')
      .split('&')
      .map((pair) => {
        const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
        return this.isSecret(decodePercent(name) ?? name) ? `${name}=${redactedKey}` : pair;
      });
    return redact(`${path}?${query.join('&')}`);
  }

  redactVerdict(verdict: Verdict): Verdict {
    if (verdict.kind === 'not-tested') {
      const { because, requirement } = verdict;
      if (because === undefined) return { ...verdict, reason: this.redact(verdict.reason) };
      const clean =
        because.kind === 'unclear' ? { ...because, text: this.redact(because.text) } : because;
      return { ...verdict, ...notTested(requirement, clean) };
    }
    if (verdict.kind !== 'failed') return verdict;
    const failures = verdict.failures.map((failure) => redactFailure(failure, this.redact));
    return { ...verdict, failures };
  }

  /** Removes the keys of other exchanges too, after those of its own. */
  redactAgain(exchange: Exchange): Exchange {
    return this.#redactExchange(exchange, this.redact, true);
  }

  /** An exchange without keys, and without the values of fields that contain keys. */
  #redactExchange(exchange: Exchange, redact: Redact, isAgain = false): Exchange {
    const { request, outcome, intent } = exchange;
    return {
      ...exchange,
      intent: 'way' in intent ? { ...intent, way: redact(intent.way) } : intent,
      request: {
        ...request,
        target: this.redactTarget(request.target, redact),
        headers: request.headers.map(([name, value]) => [
          redact(name),
          this.isSecret(name) ? redactedKey : redact(value),
        ]),
        body: request.body === undefined ? undefined : redact(request.body),
      },
      outcome: redactOutcome(outcome, redact, this.isSecret, isAgain),
    };
  }
}

function redactFailure<F extends Pick<Failed, 'expected' | 'received'>>(
  failure: F,
  redact: Redact,
): F {
  const { expected, received } = failure;
  return { ...failure, expected: redact(expected), received: redact(received) };
}

/** The keys in the value of a field: the token after a scheme, user and password, cookies. */
function keysOf(name: string, value: string): readonly string[] {
  if (name === 'cookie' || name.startsWith('set-cookie'))
    return readCookies(value)
      .slice(0, name === 'cookie' ? undefined : 1)
      .map(([, text]) => text);
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === '') return [value.trim()];
  if (scheme.toLowerCase() !== 'basic') return [rest.trim()];
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString().split(':');
  return [rest.trim(), password.join(':') === '' ? user : password.join(':')];
}
