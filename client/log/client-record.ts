import {
  type Read,
  choiceOf,
  listOf,
  openMembers,
  orNull,
  readFlag,
  readInstant,
  readText,
  wholeFrom,
} from '../../conformance/index.ts';
import type { JsonObject, JsonValue } from '../../contract/index.ts';
import type { ClientSubject } from './compose-report.ts';
import type { ClientEnd, PlayedScenario } from './log.ts';

/**
 * Everything that decides what is said of a client, besides the contract and the log; JSON, and
 * holds no key.
 */
export interface ClientRecord {
  readonly subject: Omit<ClientSubject, 'baseUrl'>;
  /** In the order in which they stand in the log. */
  readonly scenarios: readonly RecordedScenario[];
}

/** A scenario that was played, and when it was opened: milliseconds since 1970. */
export interface RecordedScenario extends PlayedScenario {
  readonly openedAt: number;
}

/** A record as JSON: what may be undefined is `null`. Reads back equal. */
export function renderClientRecord({
  subject: { name, plan, watched },
  scenarios,
}: ClientRecord): JsonObject {
  return {
    name,
    plan: plan ?? null,
    from: watched.from,
    to: watched.to,
    scenarios: scenarios.map(({ id, mustSucceed, end, openedAt }) => ({
      id,
      mustSucceed,
      end: { ...end },
      openedAt,
    })),
  };
}

/**
 * Reads a record from JSON, strictly.
 * @throws {LogError} for the first thing that is wrong
 */
export function readClientRecord(value: JsonValue): ClientRecord {
  const { need } = openMembers(value, '', ['name', 'plan', 'from', 'to', 'scenarios']);
  const watched = { from: need('from', readInstant), to: need('to', readInstant) };
  return {
    subject: { name: need('name', readText), plan: need('plan', orNull(readText)), watched },
    scenarios: need('scenarios', listOf(readScenario)),
  };
}

const readScenario: Read<RecordedScenario> = (value, at) => {
  const { need } = openMembers(value, at, ['id', 'mustSucceed', 'end', 'openedAt']);
  return {
    id: need('id', readText),
    mustSucceed: need('mustSucceed', readFlag),
    end: need('end', readEnd),
    openedAt: need('openedAt', readInstant),
  };
};

const readEnd: Read<ClientEnd> = (value, at) => {
  const { need, take } = openMembers(value, at, ['kind'], ['code', 'signal']);
  const kind = need(
    'kind',
    choiceOf<ClientEnd['kind']>(['exited', 'killed', 'timeout', 'aborted']),
  );
  switch (kind) {
    case 'exited':
      return { kind, code: take('code', wholeFrom(0, 255)) ?? 0 };
    case 'killed':
      return { kind, signal: take('signal', readText) ?? '' };
    case 'timeout':
    case 'aborted':
      return { kind };
  }
};
