import {
  type CredentialField,
  isCredential,
  type Operation,
  renderCredential,
} from '../../contract/index.ts';
import type { CredentialUse } from './exchange.ts';

type Header = readonly [name: string, value: string];

/** What stands after `Authorization:` where that is not one bearer token, made out of the key. */
const forms: Readonly<Partial<Record<CredentialUse, (key: string) => readonly string[]>>> = {
  'other-scheme': (key) => [`Basic ${key}`],
  'token-scheme': (key) => [`Token ${key}`],
  'no-scheme': (key) => [key],
  'no-token': () => ['Bearer'],
  'further-word': (key) => [`Bearer ${key} more`],
  'word-before': (key) => [`x Bearer ${key}`],
  'no-space': (key) => [`Bearer${key}`],
  twice: (key) => [`Bearer ${key}`, `Bearer ${alterKey(key, 'invalid')}`],
};

/**
 * The headers that carry a credential: every scheme of the first alternative that the operation
 * takes. Nearly right keys are made from the key.
 */
export function credentialHeaders(
  operation: Operation,
  key: string | undefined,
  use: CredentialUse,
): readonly Header[] {
  if (operation.credential.kind === 'bearer' && key !== undefined && forms[use] !== undefined)
    return forms[use](key).map((value) => ['authorization', value]);
  const fields = credentialFields(operation, key, use);
  const cookies = fields.filter((field) => field.in === 'cookie');
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return [
    ...fields.flatMap((field): readonly Header[] =>
      field.in === 'header' ? [[field.name.toLowerCase(), field.value]] : [],
    ),
    ...(cookies.length === 0 ? [] : [['cookie', cookie] as const]),
  ];
}

/** The members of the query that carry a credential, encoded: `key=abc`; empty for none. */
export function credentialQuery(
  operation: Operation,
  key: string | undefined,
  use: CredentialUse,
): string {
  const fields = credentialFields(operation, key, use).filter((field) => field.in === 'query');
  return new URLSearchParams(
    fields.map(({ name, value }): [string, string] => [name, value]),
  ).toString();
}

function credentialFields(
  { security }: Operation,
  key: string | undefined,
  use: CredentialUse,
): readonly CredentialField[] {
  if (use === 'missing' || key === undefined) return [];
  const token = alterKey(key, use);
  return (security[0] ?? [])
    .filter(isCredential)
    .flatMap((credential) => renderCredential(credential, token) ?? []);
}

/** Makes a key that is wrong in the given way out of the right one. */
export function alterKey(key: string, use: CredentialUse): string {
  return alterations[use]?.(key) ?? key;
}

const alterations: Readonly<Partial<Record<CredentialUse, (key: string) => string>>> = {
  invalid: (key) => `invalid-key-${key.length}`,
  cut: (key) => key.slice(0, -1),
  longer: (key) => `${key}x`,
  'other-case': swapCase,
  nameless: (key) => key.slice(0, key.indexOf('_') + 1),
  marked: (key) => `${key}~`,
  'non-ascii': (key) => `${key}é`,
};

/**
 * A key that holds a name which somebody chose, as on a mock: `free_alice`. How keys are issued the
 * document does not say, so that `free_alic` and `free_alicex` may be the keys of others.
 */
const named = /^[a-z][a-z0-9-]*_[a-z0-9._-]{1,24}$/i;

/**
 * Which near misses a key allows, that nobody else has: some have no letters or a single character.
 * A name may be that of another one, with a character less or more, but for none at all or a `~`.
 */
export function nearMisses(key: string): readonly CredentialUse[] {
  if (named.test(key)) return ['nameless', 'marked', 'other-case'];
  const uses: CredentialUse[] = key.length > 1 ? ['cut', 'longer'] : ['longer'];
  return swapCase(key) === key ? uses : [...uses, 'other-case'];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
