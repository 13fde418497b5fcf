/** What a client of the trial asks for. Names are unique in the whole trial. */
export type Act =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'get'; readonly id: string; readonly name: string }
  | { readonly kind: 'list' };

/** One request of the trial; times in milliseconds of one clock. */
export interface Exchange {
  readonly sandbox: string;
  readonly act: Act;
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
}

export type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly body: string;
      /** Requests that the current window has counted: limit less remaining. */
      readonly used: number;
      /** When the window ends, in seconds: which window it is. */
      readonly reset: number;
      /** How many instances a balancer has sent it to; all but the last may have counted it too. */
      readonly tries: number;
    }
  /** The connection was lost: it may have been done, or not. */
  | { readonly kind: 'lost'; readonly reason: string };

/** What the instances have of a sandbox after the trial. */
export interface FinalState {
  /** All items, by id. */
  readonly items: readonly { readonly id: string; readonly name: string }[];
  /** Requests that the journal has counted. */
  readonly journaled: number;
}
