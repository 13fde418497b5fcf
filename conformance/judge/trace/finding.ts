/**
 * What a check found in the exchanges: that a promise was kept or broken once, or what a target
 * does where the document is silent. Many findings about one obligation become one verdict.
 */
export type Finding =
  | { readonly kind: 'held'; readonly obligation: string; readonly exchange: number }
  | {
      readonly kind: 'violated';
      readonly obligation: string;
      readonly exchange: number;
      /** Further exchanges that the contradiction needs, such as the create behind a read. */
      readonly others: readonly number[];
      readonly expected: string;
      readonly received: string;
    }
  | {
      readonly kind: 'observed';
      /** Id of the open question. */
      readonly question: string;
      /** Id of one of its choices; undefined where what was seen is none of them. */
      readonly choice: string | undefined;
      readonly exchange: number;
      readonly evidence: string;
    };

/** A promise kept. */
export function held(obligation: string, exchange: number): Finding {
  return { kind: 'held', obligation, exchange };
}

/** A promise broken. */
export function violated(
  obligation: string,
  exchange: number,
  expected: string,
  received: string,
  others: readonly number[] = [],
): Finding {
  return { kind: 'violated', obligation, exchange, others, expected, received };
}

/** What a target does where the document is silent. */
export function observed(
  question: string,
  choice: string | undefined,
  exchange: number,
  evidence: string,
): Finding {
  return { kind: 'observed', question, choice, exchange, evidence };
}
