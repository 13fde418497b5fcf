import type { Parts } from '../service/behaviour.ts';
import type { Variant } from './variant.ts';

/** What the server does, how, and why that is lawful where the reason is not that of the others. */
export type Rows<How> = Readonly<
  Record<string, readonly [summary: string, how: How, why?: string]>
>;

/** Variants from rows by the rest of their ids. `replace` is called once for each service. */
export function listVariants<How>(
  start: string,
  lawful: string,
  replace: (how: How) => Parts,
  rows: Rows<NoInfer<How>>,
): readonly Variant[] {
  return Object.entries(rows).map(([rest, [summary, how, why = lawful]]) => ({
    id: `${start}-${rest}`,
    summary,
    lawful: why,
    behaviour: () => replace(how),
  }));
}

/** Takes the parts of a row, or what makes them afresh for each service, as they are. */
export const take = (parts: Parts | (() => Parts)): Parts =>
  typeof parts === 'function' ? parts() : parts;
