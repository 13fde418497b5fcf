import type { JsonObject } from '../../../contract/index.ts';

/** One item of an inferred resource; each response shows of it what its schema takes. */
export interface Entity {
  /** What names it in paths, as a text. */
  readonly key: string;
  /** What clients sent, and what examples of the document show. */
  readonly members: JsonObject;
  /** Members that the service makes, by their names without case and punctuation: ids of parents, what creations show. */
  readonly made: JsonObject;
  /** Members that a patch removed. */
  readonly absent: ReadonlySet<string>;
  /** When it was created and last changed, milliseconds since 1970; undefined for what was always there. */
  readonly createdAt: number | undefined;
  readonly changedAt: number | undefined;
}

const nothing: ReadonlySet<string> = new Set();

/** An entity that nobody sent anything for. */
export function plainEntity(key: string, members: JsonObject = {}): Entity {
  return { key, members, made: {}, absent: nothing, createdAt: undefined, changedAt: undefined };
}
