import type { Trace } from './trace.ts';

/** Computes a reading of a trace once, however many families ask for it. */
export function perTrace<T>(read: (trace: Trace) => T): (trace: Trace) => T {
  const known = new WeakMap<Trace, { readonly value: T }>();
  return (trace) => {
    const found = known.get(trace) ?? { value: read(trace) };
    known.set(trace, found);
    return found.value;
  };
}
