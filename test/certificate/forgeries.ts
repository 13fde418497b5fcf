import type { SigningKey } from '../../certificate/envelope/signing-key.ts';
import {
  closePayload,
  digestAnew,
  list,
  type Loose,
  loose,
  openPayload,
  signaturesOf,
} from './forge.ts';
import { type Chance, choose, createChance, mutateMember } from './mutation.ts';

/**
 * Who makes a forgery: `file` edits the file, `kept` the payload under the signature that is there,
 * `stranger` signs with a key of their own, `named` does so in the name of the owner, `unsigned` by
 * nobody; `owner` edits the payload and signs it with the right key.
 */
export const forgers = ['file', 'kept', 'stranger', 'named', 'unsigned', 'owner'] as const;

export interface Forgery {
  readonly text: string;
  /** Where the payload was changed, as names and indexes joined by `/`; empty for a file. */
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
  const { document, place, what } = editPayload(chance, text);
  const close = (): string => {
    if (forger === 'kept') return closePayload(document, signaturesOf(text));
    if (forger === 'unsigned') return closePayload(document, []);
    if (forger === 'owner') return closePayload(document, [owner]);
    const signed = closePayload(document, [stranger]);
    if (forger === 'stranger') return signed;
    const named = signaturesOf(signed).map(({ sig }) => ({ keyid: owner.keyid, sig }));
    return closePayload(document, named);
  };
  return { text: close(), place, what: `seed ${seed}, ${forger}: ${place} ${what}` };
}

/** Changes a member, and as often as not makes the log look untouched. Never leaves it as it was. */
function editPayload(chance: Chance, text: string) {
  for (;;) {
    const document = openPayload(text);
    const before = JSON.stringify(document);
    const { path, what } = mutateMember(chance, document);
    if (chance() < 0.5) tryDigesting(document);
    if (JSON.stringify(document) !== before) return { document, place: path.join('/'), what };
  }
}

function tryDigesting(document: Loose): void {
  const copy = structuredClone(document);
  try {
    for (const [index, each] of list(copy['exchanges']).entries()) {
      const exchange = loose(each);
      if ('index' in exchange) exchange['index'] = index;
    }
    digestAnew(copy);
  } catch {
    return;
  }
  Object.assign(document, copy);
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
