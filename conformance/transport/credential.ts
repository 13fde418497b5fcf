import { type Operation, renderCredential } from '../../contract/index.ts';
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

/** The headers that carry a credential; nearly right keys are made from the key. */
export function credentialHeaders(
  { credential }: Operation,
  key: string | undefined,
  use: CredentialUse,
): readonly Header[] {
  if (credential.kind === 'none' || use === 'missing' || key === undefined) return [];
  const token = alterKey(key, use);
  if (credential.kind === 'bearer')
    return (forms[use]?.(key) ?? [`Bearer ${token}`]).map((value) => ['authorization', value]);
  const field = renderCredential(credential, token);
  if (field === undefined || field.in === 'query') return [];
  return field.in === 'cookie'
    ? [['cookie', `${field.name}=${field.value}`]]
    : [[field.name.toLowerCase(), field.value]];
}

/** Makes a key that is wrong in the given way out of the right one. */
export function alterKey(key: string, use: CredentialUse): string {
  return alterations[use]?.(key) ?? key;
}

const alterations: Readonly<Partial<Record<CredentialUse, (key: string) => string>>> = {
  invalid: (key) => `no-such-key-${key.length}`,
  cut: (key) => key.slice(0, -1),
  longer: (key) => `${key}x`,
  'other-case': swapCase,
  'non-ascii': (key) => `${key}é`,
};

/** Which near misses a key allows: some have no letters or a single character. */
export function nearMisses(key: string): readonly CredentialUse[] {
  const uses: CredentialUse[] = key.length > 1 ? ['cut', 'longer'] : ['longer'];
  return swapCase(key) === key ? uses : [...uses, 'other-case'];
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
