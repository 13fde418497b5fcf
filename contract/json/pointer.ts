import { isJsonArray, isJsonObject, ownMember, type JsonValue } from './value.ts';

/**
 * JSON pointers (RFC 6901) in two forms. Into a value: `/pets/0`, `` for the whole value. Into a document:
 * the URI fragment form `#/paths/~1pets`, `#` for the whole document (section 6).
 */

/** A pointer into a value from its tokens: `['a/b', 0]` gives `/a~1b/0`. */
export function renderPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

/** A pointer into a document: `['paths', '/pets']` gives `#/paths/~1pets`. Only `%` is percent-encoded. */
export function renderFragment(tokens: readonly (string | number)[]): string {
  return `#${renderPointer(tokens).replaceAll('%', '%25')}`;
}

/** A pointer in the form of `renderFragment`. Throws SyntaxError for anything else. */
export function canonicalFragment(pointer: string): string {
  const isFragment = pointer === '#' || pointer.startsWith('#/');
  const isCanonical = isFragment && !pointer.includes('%') && !wrongTilde.test(pointer);
  return isCanonical ? pointer : renderFragment(parsePointer(pointer));
}

/** A tilde that encodes no character (RFC 6901 section 3). */
const wrongTilde = /~(?![01])/u;

/** The tokens of a pointer in either form. Throws SyntaxError for anything else. */
export function parsePointer(pointer: string): readonly string[] {
  const plain = pointer.startsWith('#') ? decodeFragment(pointer.slice(1)) : pointer;
  if (plain === '') return [];
  if (!plain.startsWith('/') || wrongTilde.test(plain))
    throw new SyntaxError(`not a JSON pointer: ${pointer}`);
  return plain.slice(1).split('/').map(unescapeToken);
}

/** The pointer with more tokens appended, in the same form. */
export function appendPointer(pointer: string, ...tokens: readonly (string | number)[]): string {
  const isFragment = pointer.startsWith('#');
  let longer = pointer;
  for (const token of tokens) {
    const text = escapeToken(token);
    longer += `/${isFragment && text.includes('%') ? text.replaceAll('%', '%25') : text}`;
  }
  return longer;
}

/** The value at a pointer, without following `$ref`; undefined for none. Throws SyntaxError. */
export function resolvePointer(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of parsePointer(pointer)) value = memberOf(value, token);
  return value;
}

/** A member of an object, or an item of an array. */
export function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return /^(?:0|[1-9]\d*)$/u.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? ownMember(value, token) : undefined;
}

function decodeFragment(fragment: string): string {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch (cause) {
    throw new SyntaxError(`not a JSON pointer: #${fragment}`, { cause });
  }
}

function escapeToken(token: string | number): string {
  const text = String(token);
  return text.includes('~') || text.includes('/')
    ? text.replaceAll('~', '~0').replaceAll('/', '~1')
    : text;
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}
