/** Something that is told of traffic and fails nobody. */
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

/** Counts notes by their sentences. */
export interface Notes {
  readonly add: TakeNote;
  readonly list: () => readonly TrafficNote[];
}

/** Different notes of one kind that are kept; the rest is counted together. */
const most = 50;

export function createNotes(): Notes {
  const notes = new Map<string, TrafficNote>();
  const sizes = new Map<string, number>();
  return {
    add: (kind, sentence, example) => {
      const known = notes.get(`${kind} ${sentence}`);
      const size = sizes.get(kind) ?? 0;
      const isNew = known === undefined && size < most;
      if (isNew) sizes.set(kind, size + 1);
      const told = known !== undefined || isNew ? sentence : 'others, counted together';
      const key = `${kind} ${told}`;
      const before = notes.get(key) ?? { kind, sentence: told, count: 0, example };
      notes.set(key, { ...before, count: before.count + 1 });
    },
    list: () => [...notes.values()].toSorted((one, other) => other.count - one.count),
  };
}
