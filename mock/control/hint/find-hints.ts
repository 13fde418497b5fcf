import type { Contract } from '../../../contract/index.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { explainClock } from './clock-hint.ts';
import { explainKey } from './key-hint.ts';
import { explainPath } from './path-hint.ts';
import { explainPreference } from './preference-hint.ts';
import { explainQuery } from './query-hint.ts';
import { explainStub } from './stub-hint.ts';

/** What a developer may have meant, or overlooked, in a request. */
export interface Hint {
  readonly kind: HintKind;
  /** For people, in one sentence or two. Holds no key that was sent. */
  readonly message: string;
}

export type HintKind = 'path' | 'query-parameter' | 'credential' | 'preference' | 'clock' | 'stub';

/**
 * The hints about a request, by the document that is served to its sandbox. They are found when a
 * journal is read or a line is logged, not while the request is answered.
 */
export function findHints(entry: JournalEntry, contract: Contract): readonly Hint[] {
  const messages: readonly (readonly [HintKind, string | undefined])[] = [
    ['path', explainPath(entry, contract)],
    ['query-parameter', explainQuery(entry, contract)],
    ['credential', explainKey(entry, contract)],
    ['preference', explainPreference(entry, contract)],
    ['clock', explainClock(entry)],
    ['stub', explainStub(entry)],
  ];
  return messages.flatMap(([kind, message]) => (message === undefined ? [] : [{ kind, message }]));
}
