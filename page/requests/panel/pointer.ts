/** What stands at a JSON pointer of a document, the leading `#` included; undefined for nothing. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  const tokens = decodeURIComponent(pointer.replace(/^#/, '')).split('/').slice(1);
  return tokens
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (value: unknown, token) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, token)
          ? Reflect.get(value, token)
          : undefined,
      document,
    );
}
