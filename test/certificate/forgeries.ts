import type { SigningKey } from '../../certificate/envelope/signing-key.ts';
import {
  chainAnew,
  closeStatement,
  list,
  type Loose,
  loose,
  openStatement,
  signaturesOf,
} from './forge.ts';
import { type Chance, choose, createChance, mutateMember } from './mutation.ts';

/**
 * Who makes a forgery: `file` edits the file, `kept` the statement under the signature that is there,
 * `stranger` signs with a key of their own, `named` does so in the name of the owner, `unsigned` by
 * nobody; `owner` edits the statement and signs it with the right key.
 */
export const forgers = ['file', 'kept', 'stranger', 'named', 'unsigned', 'owner'] as const;

export interface Forgery {
  readonly text: string;
  /** Where the statement was changed, as names and indexes joined by `/`; empty for a file. */
  readonly place: string;
  /** What was done, for messages. */
  readonly what: string;
}

export interface Parties {
  readonly owner: SigningKey;
  readonly stranger: SigningKey;
}

/** Changes a certificate at a place that the seed decides. The same seed makes the same forgery. */
export function createForgery(
  seed: number,
  forger: (typeof forgers)[number],
  text: string,
  { owner, stranger }: Parties,
): Forgery {
  const chance = createChance(seed);
  if (forger === 'file') return editFile(chance, text);
  const { statement, place, what } = editStatement(chance, text);
  const close = (): string => {
    if (forger === 'kept') return closeStatement(statement, signaturesOf(text));
    if (forger === 'unsigned') return closeStatement(statement, []);
    if (forger === 'owner') return closeStatement(statement, [owner]);
    const signed = closeStatement(statement, [stranger]);
    if (forger === 'stranger') return signed;
    const named = signaturesOf(signed).map(({ sig }) => ({ keyid: owner.keyid, sig }));
    return closeStatement(statement, named);
  };
  return { text: close(), place, what: `seed ${seed}, ${forger}: ${place} ${what}` };
}

/** Changes a member, and as often as not makes the log look untouched. Never leaves it as it was. */
function editStatement(chance: Chance, text: string) {
  for (;;) {
    const statement = openStatement(text);
    const before = JSON.stringify(statement);
    const { path, what } = mutateMember(chance, statement);
    if (chance() < 0.5) tryChaining(statement);
    if (JSON.stringify(statement) !== before) return { statement, place: path.join('/'), what };
  }
}

function tryChaining(statement: Loose): void {
  const copy = structuredClone(statement);
  try {
    const log = loose(loose(copy['predicate'])['log']);
    const entries = list(log['entries']);
    log['length'] = entries.length;
    for (const [index, each] of entries.entries()) {
      const entry = loose(loose(each)['entry']);
      if ('index' in entry) entry['index'] = index;
    }
    chainAnew(copy);
  } catch {
    return;
  }
  Object.assign(statement, copy);
}

/** Changes a few characters of the file, in the head of it as often as anywhere. */
function editFile(chance: Chance, text: string): Forgery {
  const end = text.length - 1;
  const tail = text.indexOf('"payloadType"');
  const at = Math.floor(chance() < 0.5 ? chance() * end : tail + chance() * (end - tail));
  const size = 1 + Math.floor(chance() * 4);
  const part = text.slice(at, at + size);
  const other = choose(chance, [
    '',
    ' ',
    '\n',
    'A',
    '=',
    '"',
    ',',
    '{',
    '}',
    '\\',
    '0',
    part + part,
  ]);
  const kept = other === part ? `${part}x` : other;
  return {
    text: text.slice(0, at) + kept + text.slice(at + size),
    place: '',
    what: `at ${at}: ${JSON.stringify(part)} became ${JSON.stringify(kept)}`,
  };
}
