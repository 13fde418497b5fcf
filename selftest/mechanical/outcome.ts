/** What became of a mutant. */
export type Outcome =
  /** A requirement failed; `limit` where only the drive to the limit showed it. */
  | { readonly kind: 'killed'; readonly limit: boolean; readonly named: readonly string[] }
  /** The run could not say: the server never answered, or not as a service of this kind. */
  | { readonly kind: 'inconclusive'; readonly reason: string }
  /** It never came to an end. */
  | { readonly kind: 'hung' }
  /** Its modules cannot be loaded, or it does not start. */
  | { readonly kind: 'not-runnable'; readonly reason: string }
  | { readonly kind: 'survived' };

/** A mutant by its number in its base, with what became of it. */
export interface Result {
  readonly base: string;
  readonly number: number;
  readonly outcome: Outcome;
}
