import type {
  ReceivedResponse,
  ClientIntent,
  CredentialUse,
  Exchange,
  Outcome,
} from '../conformance/index.ts';
import {
  type Contract,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  PetstoreError,
} from '../contract/index.ts';
import type { ClientLog } from './log/log.ts';
import { matchOperation, relativeTarget } from './log/request-target.ts';

/** Bytes of a body that a journal keeps. */
const savedBytes = 4096;

/** What stands in the place of the bodies of responses. */
const notSaved = '[not kept]';

/** Characters of a target that a journal keeps. */
const savedTarget = 1000;

/**
 * Reads the journal of a sandbox, as the control interface of the mock tells it (`readJournal`),
 * into a log. A journal shows neither headers nor the bodies of responses. Times are whole: the
 * answer is taken to be sent when the request came in, or as much later as a fault or a preference
 * says.
 *
 * @param plan only requests with the key of this plan; undefined: all
 * @throws {PetstoreError} for what is no journal
 */
export function readJournalLog(contract: Contract, journal: JsonValue, plan?: string): ClientLog {
  const records = isJsonObject(journal) ? journal['exchanges'] : undefined;
  if (!isJsonArray(records))
    throw new PetstoreError(
      'journal',
      'It has no exchanges: it has to be what GET /_mock/sandboxes/{sandbox}/journal answers.',
    );
  const meant = records
    .map((record, index) => new JournalRecord(record, `exchange ${index}`))
    .filter((record) => plan === undefined || record.optional('plan') === plan);
  return {
    source: 'journal',
    exchanges: meant.map((record, index) => readExchange(contract, record, index)),
  };
}

/** An untrusted record of a journal, or a part of one. */
class JournalRecord {
  readonly #members: JsonObject;
  readonly #place: string;

  constructor(value: JsonValue, place: string) {
    this.#place = place;
    if (!isJsonObject(value)) throw new PetstoreError('journal', `${place} is no object.`);
    this.#members = value;
  }

  text(name: string): string {
    return this.optional(name) ?? this.#refuse(name, 'text');
  }

  optional(name: string): string | undefined {
    const value = this.#members[name];
    return value === undefined || typeof value === 'string' ? value : this.#refuse(name, 'text');
  }

  whole(name: string): number | undefined {
    const value = this.#members[name];
    return value === undefined ||
      (typeof value === 'number' && Number.isInteger(value) && value >= 0)
      ? value
      : this.#refuse(name, 'whole number');
  }

  instant(name: string): number {
    const instant = Date.parse(this.text(name));
    return Number.isNaN(instant) ? this.#refuse(name, 'date') : instant;
  }

  flag(name: string): boolean {
    const value = this.#members[name];
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  /** A record within this one; undefined where it is absent. */
  part(name: string): JournalRecord | undefined {
    const value = this.#members[name];
    return value === undefined ? undefined : new JournalRecord(value, `${this.#place}: ${name}`);
  }

  #refuse(name: string, wanted: string): never {
    throw new PetstoreError('journal', `${this.#place}: ${name} is no ${wanted}.`);
  }
}

function readExchange(contract: Contract, record: JournalRecord, index: number): Exchange {
  const sentAt = record.instant('at');
  const method = record.text('method');
  const target = redact(relativeTarget(record.text('target'), contract.basePath), record);
  const body = record.optional('body');
  return {
    index,
    probe: 'journal',
    intent: readIntent(contract, record),
    request: {
      operation: matchOperation(contract, method, target.split('?')[0] ?? '')?.id ?? '',
      method,
      target,
      headers: [],
      credential: readCredential(record),
      body: body === undefined ? undefined : redact(body, record),
    },
    outcome: readOutcome(contract, record),
    sentAt,
    endedAt: sentAt + readDelay(record),
    group: undefined,
  };
}

function readIntent(contract: Contract, record: JournalRecord): ClientIntent {
  const refusal = record.part('refusal');
  const length = record.whole('bodyLength');
  const isKeyInQuery = contract.operations.some(
    ({ credential }) => credential.kind === 'api-key' && credential.in === 'query',
  );
  return {
    kind: 'client',
    scenario: 'journal',
    key:
      readCredential(record) === 'valid'
        ? `${record.text('sandbox')}/${record.optional('plan') ?? ''}`
        : undefined,
    connection: undefined,
    refusal: refusal && { reason: refusal.text('reason'), message: refusal.text('message') },
    isWhole:
      length !== undefined &&
      length <= savedBytes &&
      record.text('target').length <= savedTarget &&
      !isKeyInQuery,
  };
}

function readCredential(record: JournalRecord): CredentialUse {
  const text = record.text('credential');
  if (text === 'valid' || text === 'missing' || text === 'invalid') return text;
  throw new PetstoreError('journal', `"${text}" is no credential of a journal.`);
}

/** Journals have `[key]` in the place of the key. */
function redact(text: string, record: JournalRecord): string {
  return record.flag('keyElsewhere') ? text.replaceAll('[key]', '[redacted]') : text;
}

/** Of a response a journal tells the status, and what the headers of the rate limit said. */
function readOutcome({ rateLimit }: Contract, record: JournalRecord): Outcome {
  const effect = record.part('fault')?.text('effect') ?? '';
  if (/\bno response\b/.test(effect))
    return { kind: 'no-response', error: { reason: 'timeout', message: 'No response was sent.' } };
  if (/\bconnection reset\b|\btruncated body\b/.test(effect))
    return { kind: 'no-response', error: { reason: 'cut', message: 'The connection was reset.' } };
  const [rate, retryAfter, names] = [
    record.part('rate'),
    record.optional('retryAfter'),
    rateLimit?.headers,
  ];
  const headers: ReceivedResponse['headers'][number][] = [];
  if (rate !== undefined && names !== undefined) {
    headers.push(
      [names.limit, `${rate.whole('limit') ?? 0}`],
      [names.remaining, `${rate.whole('remaining') ?? 0}`],
      [names.reset, `${Math.ceil(rate.instant('resetAt') / 1000)}`],
    );
  }
  if (retryAfter !== undefined) headers.push([names?.retryAfter ?? 'Retry-After', retryAfter]);
  return {
    kind: 'answered',
    response: { status: record.whole('status') ?? 0, headers, body: notSaved, utf8: true },
  };
}

/** Milliseconds until a response, as far as a fault or a preference told it. */
function readDelay(record: JournalRecord): number {
  const [, fault = '0'] =
    /\bdelay of (?:\d+ to )?(\d+) ms/.exec(record.part('fault')?.text('effect') ?? '') ?? [];
  const [, wait = '0'] = /\bwait=(\d+)/.exec(record.optional('preferred') ?? '') ?? [];
  return Number(fault) + Number(wait) * 1000;
}
