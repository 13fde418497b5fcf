import {
  type Exchange,
  type Outcome,
  type ReceivedResponse,
  redactedKey,
} from '../conformance/index.ts';
import * as codec from '../contract/json/codec.ts';
import type { Contract } from '../contract/contract.ts';
import { keyNames } from '../contract/openapi/credential.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../contract/json/value.ts';
import { exchange as journalEntry } from '../mock/control/declaration/schemas.ts';
import { PetstoreError } from '../contract/error/petstore-error.ts';
import type { TypeOf } from '../contract/json/codec.ts';
import { type ClientLog, lostOutcome, operationAt, relativeTarget } from './log.ts';

type SavedEntry = TypeOf<typeof journalEntry>;

/** Bytes of a body that a journal stores. */
const savedBytes = 4096;

/** Replaces the bodies of responses. */
const notSaved = '[not kept]';

/** Characters of a target that a journal stores. */
const savedTarget = 1000;

/**
 * Converts the journal of a sandbox, as the control interface returns it (`readJournal`), to a log.
 * A journal has neither headers nor bodies of responses. Times are whole milliseconds: a response
 * is assumed to be sent when the request arrived, plus its delay.
 *
 * @param plan only requests with a key of this plan; undefined: all
 * @throws {PetstoreError} with code `journal` or `shape`, if it is not a journal
 */
export function readJournalLog(contract: Contract, journal: JsonValue, plan?: string): ClientLog {
  const records = isJsonObject(journal) ? journal['exchanges'] : undefined;
  if (!isJsonArray(records))
    throw new PetstoreError(
      'journal',
      'It has no exchanges: it must be the response to GET /_mock/sandboxes/{sandbox}/journal.',
    );
  const entries = codec.list(journalEntry).read(records, '/exchanges');
  const odd = entries.findIndex(({ at, rate }) =>
    [at, rate?.resetAt ?? at].some((instant) => Number.isNaN(Date.parse(instant))),
  );
  if (odd >= 0) throw codec.shapeError(`/exchanges/${odd}`, 'has a time that is not a date');
  const meant = entries.filter((entry) => plan === undefined || entry.plan === plan);
  return {
    source: 'journal',
    exchanges: meant.map((entry, index) => readExchange(contract, entry, index)),
  };
}

function readExchange(contract: Contract, entry: SavedEntry, index: number): Exchange {
  const { method, body, bodyLength, credential, sandbox, plan = '', refusal } = entry;
  const sentAt = Date.parse(entry.at);
  // Journals replace the key by `[key]`.
  const redact = (text: string): string =>
    entry.keyElsewhere ? text.replaceAll('[key]', redactedKey) : text;
  const target = redact(relativeTarget(entry.target, contract.basePath));
  const isKeyInQuery = contract.operations.some((each) => keyNames(each, 'query').length > 0);
  return {
    index,
    probe: 'journal',
    intent: {
      kind: 'client',
      scenario: 'journal',
      key: credential === 'valid' ? `${sandbox}/${plan}` : undefined,
      connection: undefined,
      refusal: refusal && { reason: refusal.reason, message: refusal.message },
      isWhole:
        bodyLength !== undefined &&
        bodyLength <= savedBytes &&
        entry.target.length <= savedTarget &&
        !isKeyInQuery,
    },
    request: {
      operation: operationAt(contract, method, target)?.id ?? '',
      method,
      target,
      headers: [],
      credential,
      body: body === undefined ? undefined : redact(body),
    },
    outcome: entry.lost === undefined ? readResponse(contract, entry) : lostOutcome(entry.lost),
    sentAt,
    endedAt: sentAt + (entry.delay ?? 0),
    group: undefined,
  };
}

/** A journal stores the status and the rate-limit headers of responses. */
function readResponse({ rateLimit }: Contract, { rate, retryAfter, status }: SavedEntry): Outcome {
  const names = rateLimit?.headers;
  const headers: ReceivedResponse['headers'][number][] = [];
  if (rate !== undefined && names !== undefined)
    headers.push(
      [names.limit, `${rate.limit}`],
      [names.remaining, `${rate.remaining}`],
      [names.reset, `${Math.ceil(Date.parse(rate.resetAt) / 1000)}`],
    );
  if (retryAfter !== undefined) headers.push([names?.retryAfter ?? 'Retry-After', retryAfter]);
  return { kind: 'answered', response: { status, headers, body: notSaved, utf8: true } };
}
