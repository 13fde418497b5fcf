/** What is changed at a place: the text from `start` to `end` becomes `after`. */
export interface Change {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** What is changed; part of the key of a mutation. */
export type Kind =
  | 'boundary'
  | 'call'
  | 'condition'
  | 'constant'
  | 'default'
  | 'element'
  | 'operator'
  | 'pattern'
  | 'property'
  | 'statement';

export function change(
  kind: Kind,
  { start, end }: { readonly start: number; readonly end: number },
  after: string,
): Change {
  return { kind, start, end, after };
}
