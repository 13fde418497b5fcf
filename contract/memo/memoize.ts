/** Computes a value when it is first asked for, and keeps it, also where it is undefined. */
export function memoize<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: create() }).value;
}
