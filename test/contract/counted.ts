/** For tests: a list, and how often any of its items was read. */
export interface CountedList<Item> {
  readonly list: readonly Item[];
  readonly reads: () => number;
}

/** For tests: counts who reads a list, so that work is measured without a clock. */
export function countReads<Item>(items: readonly Item[]): CountedList<Item> {
  let reads = 0;
  const list = new Proxy(items, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      const value: unknown = Reflect.get(target, name, receiver);
      return value;
    },
  });
  return { list, reads: () => reads };
}
