/** Something that is reported of traffic and fails nobody. */
export interface TrafficNote {
  /**
   * `request`: a client's request breaks the document; `status`: a status that the operation does
   * not list; `outside`: no operation of the document; `not-judged`: why exchanges, or parts, are not.
   */
  readonly kind: 'request' | 'status' | 'outside' | 'not-judged';
  /** One clause, without its full stop. */
  readonly sentence: string;
  readonly count: number;
  /** The first exchange of the kind: `GET /pets?limit=0`. */
  readonly example: string;
}

export type TakeNote = (kind: TrafficNote['kind'], sentence: string, example: string) => void;

/** Different notes of one kind that are kept; the rest is counted together. */
const most = 50;

/** Counts notes by their sentences. */
export class Notes {
  readonly #notes = new Map<string, TrafficNote>();

  readonly add: TakeNote = (kind, wanted, example) => {
    const isKept = this.#notes.has(`${kind} ${wanted}`) || this.#countKind(kind) < most;
    const sentence = isKept ? wanted : 'others, counted together';
    const key = `${kind} ${sentence}`;
    const before = this.#notes.get(key) ?? { kind, sentence, count: 0, example };
    this.#notes.set(key, { ...before, count: before.count + 1 });
  };

  /** The most frequent first. */
  list(): readonly TrafficNote[] {
    return [...this.#notes.values()].toSorted((one, other) => other.count - one.count);
  }

  #countKind(kind: TrafficNote['kind']): number {
    return this.#notes.values().reduce((sum, note) => sum + Number(note.kind === kind), 0);
  }
}
