/** What came back in an exchange, and what had to. */
export interface Mismatch {
  readonly exchange: number;
  /** Further exchanges that the contradiction needs, such as the create behind a read. */
  readonly others: readonly number[];
  readonly expected: string;
  readonly received: string;
}

/** What a target was seen to do where the document is silent. */
export interface Observation {
  /** Id of the choice; undefined where what was seen is none of the lawful choices listed. */
  readonly choice: string | undefined;
  readonly exchange: number;
  readonly evidence: string;
}

/** What a check found about a requirement once; many findings become one verdict. */
export type Finding =
  | { readonly kind: 'passed'; readonly requirement: string; readonly exchange: number }
  | ({ readonly kind: 'failed'; readonly requirement: string } & Mismatch)
  | ({ readonly kind: 'open'; readonly question: string } & Observation);

/** A requirement kept. */
export function passed(requirement: string, exchange: number): Finding {
  return { kind: 'passed', requirement, exchange };
}

/** A requirement failed. */
export function failed(
  requirement: string,
  exchange: number,
  expected: string,
  received: string,
  others: readonly number[] = [],
): Finding {
  return { kind: 'failed', requirement, exchange, others, expected, received };
}

/** A requirement kept or failed. */
export function judged(isKept: boolean, ...failure: Parameters<typeof failed>): Finding {
  return isKept ? passed(failure[0], failure[1]) : failed(...failure);
}

/** What a target does where the document is silent. */
export function observed(
  question: string,
  choice: string | undefined,
  exchange: number,
  evidence: string,
): Finding {
  return { kind: 'open', question, choice, exchange, evidence };
}
