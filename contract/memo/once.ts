/** Memoizes a function of an object: it runs once for each object. */
export function once<Key extends object, T>(read: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, { readonly value: T }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.value;
    const value = read(key);
    known.set(key, { value });
    return value;
  };
}

/** Computes a value on first use. */
export function lazy<T>(compute: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => (found ??= { value: compute() }).value;
}
