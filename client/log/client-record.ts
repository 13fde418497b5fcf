import * as codec from '../../contract/json/codec.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { TypeOf } from '../../contract/json/codec.ts';
import type { ClientSubject } from './compose-report.ts';
import { clientEnd } from './log.ts';

const { flag, list, milliseconds, object, orUndefined, text } = codec;

/** A scenario that was played, and when it was opened: milliseconds since 1970. */
export type RecordedScenario = TypeOf<typeof recordedScenario>;

const recordedScenario = object({
  id: text,
  mustSucceed: flag,
  end: clientEnd,
  openedAt: milliseconds,
});

const clientRecord = object({
  name: text,
  plan: orUndefined(text),
  from: milliseconds,
  to: milliseconds,
  scenarios: list(recordedScenario),
});

/** Everything that decides a report on a client besides contract and log; holds no key. */
export interface ClientRecord {
  readonly subject: Omit<ClientSubject, 'baseUrl'>;
  /** In the order of the log. */
  readonly scenarios: readonly RecordedScenario[];
}

export function renderClientRecord({ subject, scenarios }: ClientRecord): JsonObject {
  const { name, plan, watched } = subject;
  return clientRecord.render({ name, plan, from: watched.from, to: watched.to, scenarios });
}

/** Reads a record strictly. Throws `PetstoreError` with code `shape` for the first wrong thing. */
export function readClientRecord(value: JsonValue): ClientRecord {
  const { name, plan, from, to, scenarios } = clientRecord.read(value, '');
  return { subject: { name, plan, watched: { from, to } }, scenarios };
}
