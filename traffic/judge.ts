import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/contract.ts';
import { documentedResponse, refusalStatus } from '../contract/openapi/response.ts';
import type { Operation } from '../contract/openapi/operation.ts';
import {
  isPreflight,
  type Exchange,
  fieldOf,
  type Finding,
  type Intent,
  judgeContent,
  judgeFields,
  listFaults,
  type Outcome,
  type ReadRequest,
  type Requirement,
  type RequestFault,
  requiredShare,
  requirementId,
  requirementsOf,
  routerOf,
  type TrafficNote,
  type TransportError,
} from '../conformance/index.ts';
import { relativeTarget } from './base-url.ts';
import type { RecordedBody, RecordedExchange, RecordedResponse } from './recorded.ts';
import { lacksCredential, listCredentialFields, readField, Secrets } from './secrets.ts';
import {
  bounds,
  Notes,
  Series,
  Tally,
  type Failed,
  type Settled,
  UnreadResponses,
  withoutBodies,
} from './tally.ts';

export interface TrafficJudgeOptions {
  /** Base address of the service, with its version segment, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * A missing credential was really not sent: the traffic was observed directly, or its recording
   * has other credentials. Recorders often remove them.
   */
  readonly showsCredentials: boolean;
  /**
   * Percentage of the exchanges, and of the successful ones, that must be judged completely.
   * Default 90.
   */
  readonly requireTested?: number | undefined;
  /** Called with the first failure of each requirement. Contains no keys. */
  readonly onFailure?: ((failure: TrafficFailure) => void) | undefined;
}

/** A requirement that an exchange breaks. Contains no key. */
export interface TrafficFailure {
  readonly requirement: Requirement;
  readonly expected: string;
  readonly received: string;
  /** `GET /pets?limit=5`; undefined if it takes several exchanges to show it. */
  readonly request: string | undefined;
  /** Undefined without a response. */
  readonly status: number | undefined;
}

/** The requirements that a request breaks, and the status to refuse it with. */
export interface TrafficRefusal {
  readonly status: number;
  readonly findings: readonly string[];
}

export interface TrafficSum extends Settled {
  /** Number of all exchanges, and of those that were judged. */
  readonly seen: number;
  readonly judged: number;
  readonly notes: readonly TrafficNote[];
  /** Why too few responses could be read, without a full stop; undefined if enough were. */
  readonly unread: string | undefined;
  /**
   * Start of the first exchange and end of the last, in milliseconds since the Unix epoch; 0 for
   * none.
   */
  readonly from: number;
  readonly to: number;
}

/** An exchange matched with its operation. */
interface Reading {
  readonly recorded: RecordedExchange;
  readonly operation: Operation;
  readonly request: ReadRequest;
  /** Path and query relative to the base address. */
  readonly target: string;
  /** `GET /pets?limit=1`. */
  readonly example: string;
  /** It has no credential, although the operation requires one. */
  readonly isKeyless: boolean;
  /** The same exchange, apart from times and response fields, broke nothing before. */
  readonly isRepeated: boolean;
}

/** Header fields that can change the response for the same URL (RFC 9110 sections 13.1, 14.2). */
const conditions = /^(if-(match|none-match|modified-since|unmodified-since|range)|range)$/i;

const keyless = 'the key is missing';

/** Judges exchanges between any clients and a service one by one, in bounded memory. */
export class TrafficJudge {
  readonly #contract: Contract;
  readonly #options: TrafficJudgeOptions;
  readonly #secrets: Secrets;
  readonly #tally = new Tally();
  readonly #series: Series;
  readonly #notes = new Notes();
  readonly #unread = new UnreadResponses();
  readonly #clean = new CleanExchanges();
  readonly #fields: ReturnType<typeof listCredentialFields>;
  /** Header fields with credentials, which are left out of the log. */
  readonly #own: ReadonlySet<string>;
  readonly #span = { seen: 0, judged: 0, from: 0, to: 0 };

  constructor(contract: Contract, options: TrafficJudgeOptions) {
    this.#contract = contract;
    this.#options = options;
    this.#secrets = new Secrets(contract);
    this.#series = new Series(contract);
    this.#fields = listCredentialFields(contract.operations);
    const headers = this.#fields.filter((field) => field.in === 'header');
    this.#own = new Set(['authorization', ...headers.map(({ name }) => name.toLowerCase())]);
  }

  /** @returns the requirements of level `must` that the exchange breaks by itself */
  take(recorded: RecordedExchange): readonly TrafficFailure[] {
    const { request, response } = recorded;
    try {
      const reading = this.#read(recorded);
      if (reading === undefined || response === undefined) return [];
      return this.#judgeResponse(reading, response);
    } catch (error) {
      // An unexpected error must not interrupt the traffic.
      const reason = error instanceof Error ? error.message : String(error);
      const sentence = `it could not be judged because of a bug in petstore: ${reason}`;
      const example = `${request.method} ${withoutUser(request.url)}`;
      this.#note('not-judged', sentence, example);
      this.#countUnread(false, sentence, example);
      return [];
    }
  }

  /**
   * The requirements that a request breaks, before it is forwarded; undefined if none. Records it,
   * because it is not judged otherwise.
   */
  refuse(recorded: RecordedExchange): TrafficRefusal | undefined {
    this.#secrets.note(recorded);
    const reading = isPreflight(recorded.request) ? undefined : this.#locate(recorded);
    if (reading === undefined || typeof reading === 'string') return undefined;
    const faults = this.#noteFaults(reading).map(describeFault);
    const findings = reading.isKeyless ? [keyless, ...faults] : faults;
    if (findings.length === 0) return undefined;
    this.#read({ ...recorded, foreign: 'it breaks the contract, so it was not forwarded' });
    const status = reading.isKeyless ? 401 : (refusalStatus(reading.operation) ?? 400);
    return { status, findings: findings.map(this.#secrets.redact) };
  }

  /** The request was sent to the target, but no complete response came back. */
  takeLoss(recorded: RecordedExchange, error: TransportError): void {
    const reading = this.#read(recorded);
    if (reading === undefined) return;
    const intent = unspecified('a request of a client');
    const exchange = this.#compose(reading, intent, { kind: 'no-response', error });
    const findings = judgeContent(this.#contract, exchange);
    if (findings.length > 0) {
      this.#settle(recorded, exchange, findings);
      this.#unread.add(false);
      return;
    }
    const sentence = `the target could not be reached (${error.reason})`;
    this.#note('not-judged', sentence, reading.example);
    this.#countUnread(false, sentence, reading.example);
  }

  /** The result. Contains no key. */
  sum(): TrafficSum {
    for (const judged of this.#series.end()) this.#callBack(this.#tally.addLater(judged));
    const { verdicts, exchanges, failures } = this.#tally.settle(this.#contract);
    return {
      ...this.#span,
      unread: this.#unread.explain(this.#options.requireTested ?? requiredShare),
      verdicts: verdicts.map((verdict) => this.#secrets.redactVerdict(verdict)),
      exchanges: exchanges.map((exchange) => this.#secrets.redactAgain(exchange)),
      failures,
      notes: this.#notes.list(),
    };
  }

  #note(kind: TrafficNote['kind'], sentence: string, example: string): void {
    this.#notes.add(kind, this.#secrets.redact(sentence), this.#secrets.redactTarget(example));
  }

  #countUnread(isSuccess: boolean, sentence: string, example: string): void {
    const secrets = this.#secrets;
    this.#unread.add(isSuccess, `${secrets.redactTarget(example)}: ${secrets.redact(sentence)}`);
  }

  /** Undefined if it is not below the base address; a text says why it is not an operation. */
  #locate(recorded: RecordedExchange): Reading | string | undefined {
    const { method, url, headers, body } = recorded.request;
    const { baseUrl, showsCredentials } = this.#options;
    const target = relativeTarget(withoutUser(url), baseUrl);
    if (target === undefined) return undefined;
    const found = routerOf(this.#contract)(method, target);
    if (found.kind === 'none') return found.reason;
    const { operation, texts } = found;
    const query = new URLSearchParams(target.split('?')[1] ?? '');
    const known = body.kind === 'whole' ? { body } : {};
    return {
      recorded,
      operation,
      request: { path: texts, query, headers, ...known },
      target,
      example: `${method} ${target}`,
      isKeyless: showsCredentials && lacksCredential(this.#contract, operation, headers, query),
      isRepeated: false,
    };
  }

  /** Counts an exchange; undefined if it is not judged, which is recorded. */
  #read(recorded: RecordedExchange): Reading | undefined {
    const { sentAt, endedAt, request, foreign } = recorded;
    const span = this.#span;
    span.from = span.seen === 0 ? sentAt : Math.min(span.from, sentAt);
    span.to = Math.max(span.to, endedAt);
    span.seen += 1;
    this.#secrets.note(recorded);
    const found = this.#clean.find(recorded) ?? this.#locate(recorded);
    const isOwn = foreign === undefined && !isPreflight(request);
    if (isOwn && typeof found === 'object') return found;
    const url = withoutUser(request.url);
    if (found === undefined) {
      const origin = URL.parse(url)?.origin ?? 'null';
      const where = origin === 'null' ? 'another address' : origin;
      const sentence = `${where} is not below ${this.#options.baseUrl}`;
      this.#note('outside', sentence, `${request.method} ${url}`);
      return undefined;
    }
    const example = `${request.method} ${relativeTarget(url, this.#options.baseUrl)}`;
    if (isPreflight(request))
      this.#note('not-judged', 'sent by the browser itself (CORS preflight)', example);
    else if (foreign !== undefined) {
      this.#note('not-judged', foreign, example);
      const isLoss = recorded.response === undefined && !givenUp.test(foreign);
      if (isLoss && typeof found !== 'string') this.#countUnread(false, foreign, example);
    } else if (typeof found === 'string')
      this.#note('outside', `${example.split('?')[0]}: ${found}`, example);
    return undefined;
  }

  #judgeResponse(reading: Reading, response: RecordedResponse): readonly TrafficFailure[] {
    const { isRepeated } = reading;
    const intent = isRepeated ? valid : this.#expect(reading, response);
    const exchange = this.#compose(reading, intent, answered(response));
    // Without bodies, because its steps are kept.
    const { findings: found, steps } = judgeFields(this.#contract, withoutBodies(exchange));
    const findings = [...found];
    if (!isRepeated) {
      const isWhole = response.body.kind === 'whole';
      findings.push(...judgeContent(this.#contract, exchange, isWhole));
      if (intent.kind === 'valid' && findings.every(({ kind }) => kind === 'passed'))
        this.#clean.add(reading);
    }
    const failures = this.#settle(reading.recorded, exchange, findings);
    this.#countResponse(reading, response, findings);
    const { headers, query } = reading.request;
    const keys = this.#fields.map((field) => readField(field, headers, query));
    const key = keys.join(' ').trim();
    if (key !== '' && exchange.sentAt > 0)
      for (const judged of this.#series.add(key, steps))
        this.#callBack(this.#tally.addLater(judged));
    return failures;
  }

  /**
   * The expected response to a request that the suite did not send. Only the target knows why it
   * refuses a valid request, because others own its items and permissions. So it only judges
   * accepted requests, and refusals of requests that must be refused.
   */
  #expect(reading: Reading, { status, body }: RecordedResponse): Intent {
    const { recorded, operation, isKeyless, example } = reading;
    const faults = this.#noteFaults(reading);
    const listed = documentedResponse(operation, status);
    if (listed === undefined && status >= 300)
      this.#note(
        'status',
        `${operation.id} returned ${status}, which it does not document`,
        example,
      );
    for (const [what, one] of [
      ['response', body],
      ['request', recorded.request.body],
    ] as const)
      if (one.kind === 'unknown')
        this.#note('not-judged', `the body of a ${what} ${one.reason}`, example);
    const isServed = status >= 200 && status < 300;
    if (isKeyless) {
      if (!isServed && status !== 401) return unspecified('a request without a key');
      const requirement = requirementId.auth(operation.id, 'missing');
      return { kind: 'invalid', requirement, way: keyless, status: 401 };
    }
    // If there are several reasons to refuse it, a required one is named.
    const fault = faults.find(({ requirement }) => requirement !== undefined) ?? faults[0];
    if (fault !== undefined) {
      const [way, refused] = [describeFault(fault), refusalStatus(operation)];
      return fault.requirement !== undefined && refused && (isServed || status === refused)
        ? { kind: 'invalid', requirement: fault.requirement, way, status: refused }
        : unspecified(way);
    }
    const isConditional = recorded.request.headers.some(([name]) => conditions.test(name));
    if ((isServed && !isConditional) || (listed !== undefined && status < 400)) return valid;
    return unspecified('a request of a client');
  }

  #noteFaults({ operation, request, isKeyless, example }: Reading): readonly RequestFault[] {
    const found = listFaults(this.#contract, operation, request);
    const faults = [...found].filter(({ isUndecided }) => isUndecided !== true);
    const sentences = faults.map(describeFault);
    for (const sentence of isKeyless ? [keyless, ...sentences] : sentences)
      this.#note('request', `${operation.id}: ${sentence}`, example);
    return faults;
  }

  #countResponse(
    { operation, example }: Reading,
    { status, body }: RecordedResponse,
    findings: readonly Finding[],
  ): void {
    const isSuccess = status >= 200 && status < 300;
    const doubt = findings.find((each) => each.kind === 'unclear' && each.isUndecided);
    const isDescribed = (documentedResponse(operation, status)?.content ?? []).length > 0;
    // For a partial response, only the status and headers are judged.
    if (body.kind === 'unknown' && status !== 206 && isDescribed)
      this.#countUnread(isSuccess, `the body of the response ${body.reason}`, example);
    else if (doubt !== undefined && 'reason' in doubt) {
      this.#note('not-judged', doubt.reason, example);
      this.#countUnread(isSuccess, doubt.reason, example);
    } else this.#unread.add(isSuccess);
  }

  #compose({ recorded, operation, target, isKeyless }: Reading, intent: Intent, outcome: Outcome) {
    const { request, sentAt, endedAt } = recorded;
    const { method, headers, body } = request;
    const exchange: Exchange = {
      index: this.#span.seen - 1,
      probe: 'traffic',
      intent,
      request: {
        operation: operation.id,
        method,
        target,
        headers: headers.filter(([name]) => !this.#own.has(name.toLowerCase())),
        credential: isKeyless ? 'missing' : 'valid',
        body: body.kind === 'whole' && body.text !== '' ? body.text : undefined,
      },
      sentAt,
      endedAt,
      outcome,
      group: undefined,
    };
    return exchange;
  }

  #settle(
    recorded: RecordedExchange,
    exchange: Exchange,
    found: readonly Finding[],
  ): readonly TrafficFailure[] {
    this.#span.judged += 1;
    const redact = this.#secrets.redactOwn(recorded);
    this.#callBack(this.#tally.add(exchange, found, redact), exchange);
    return found
      .filter((finding) => finding.kind === 'failed')
      .flatMap((failure) => this.#describe(failure, exchange))
      .filter(({ requirement }) => requirement.level === 'must');
  }

  #callBack(failed: readonly Failed[], exchange?: Exchange): void {
    const { onFailure } = this.#options;
    if (onFailure !== undefined)
      for (const failure of failed) this.#describe(failure, exchange).forEach(onFailure);
  }

  #describe(failure: Failed, exchange?: Exchange): readonly TrafficFailure[] {
    const requirement = requirementsOf(this.#contract).get(failure.requirement);
    if (requirement === undefined) return [];
    const { request, outcome } = exchange ?? {};
    return [
      {
        requirement,
        expected: this.#secrets.redact(failure.expected),
        received: this.#secrets.redact(failure.received),
        request: request && this.#secrets.redactTarget(`${request.method} ${request.target}`),
        status: outcome?.kind === 'answered' ? outcome.response.status : undefined,
      },
    ];
  }
}

const valid: Intent = { kind: 'valid', exercises: [], mayRefuse: [] };

/**
 * Remembers exchanges that break nothing, the last one of each method and URL. If a client sends the
 * same request and gets the same body, only the header fields of the response are judged again.
 */
class CleanExchanges {
  readonly #known = new Map<string, Reading>();

  /** Undefined for an exchange that differs from each remembered one in more than response fields. */
  find(recorded: RecordedExchange): Reading | undefined {
    const { request, response } = recorded;
    const known = this.#known.get(`${request.method} ${request.url}`);
    const before = known?.recorded;
    if (before?.response === undefined || response === undefined) return undefined;
    const isSame =
      before.response.status === response.status &&
      fieldOf(before.response.headers, 'content-type') ===
        fieldOf(response.headers, 'content-type') &&
      isDeepStrictEqual(
        [before.response.body, before.request.body, before.request.headers],
        [response.body, request.body, request.headers],
      );
    return known && isSame ? { ...known, recorded, isRepeated: true } : undefined;
  }

  add(reading: Reading): void {
    const { method, url, body } = reading.recorded.request;
    if (isLong(body) || isLong(reading.recorded.response?.body)) return;
    this.#known.set(`${method} ${url}`, reading);
    const [oldest] = this.#known.size > bounds.clean ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function isLong(body: RecordedBody | undefined): boolean {
  return body?.kind !== 'whole' || body.text.length > bounds.body;
}

/**
 * Messages of browsers and of the proxy for requests that the client cancelled or that never
 * reached the target.
 */
const givenUp = /abort|cancel|blocked|the client disconnected|not forwarded/i;

function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}

function describeFault({ part, at, reason }: RequestFault): string {
  return at === '' ? `the ${part} ${reason}` : `${at} of the ${part} ${reason}`;
}

function unspecified(way: string): Intent {
  return { kind: 'unspecified', way };
}

function answered({ status, headers, body }: RecordedResponse): Outcome {
  const { text, utf8 } = body.kind === 'whole' ? body : { text: '', utf8: true };
  return { kind: 'answered', response: { status, headers, body: text, utf8 } };
}
