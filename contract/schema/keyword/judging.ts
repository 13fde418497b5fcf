import { renderPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Pattern, mostPatternSteps } from '../../pattern/pattern.ts';

/** Schemas that judge one value and what is in it; at least 500 for each value in it. */
export const mostJudgementSteps = 200_000;

/** Adds what is wrong with a value to the flaws of the judging: nothing where it fits. */
export type Judge = (value: JsonValue, judging: Judging, evaluated?: Evaluated) => void;

/** An issue whose message is rendered only if the issue is reported. */
export interface Flaw {
  readonly at: string;
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly message: () => string;
}

/** Which way a value is sent: what `readOnly` marks need not be in a request. */
export type Direction = 'request' | 'response';

/** A value takes more steps than it may. */
export class StepsError extends Error {
  override readonly name = 'StepsError';
}

/** Steps for each value that a judged value holds, where those are more than the usual limit. */
const stepsPerValue = 500;

/** Steps that are not worth a word. */
const fewSteps = 100;

/** One validation: what it found so far, what it may still cost, and what it could not decide. */
export class Judging {
  readonly flaws: Flaw[] = [];
  readonly isRequest: boolean;
  /** Texts so far that no pattern could judge. They count as matching. */
  doubts = 0;
  readonly #root: JsonValue;
  readonly #path: (string | number)[] = [];
  #taken = 0;
  #most: number = mostJudgementSteps;
  #patternSteps: number = mostPatternSteps;
  readonly #readOnly = new Map<JsonObject, (() => readonly string[])[]>();

  constructor(root: JsonValue, direction: Direction) {
    this.#root = root;
    this.isRequest = direction === 'request';
  }

  /** The JSON pointer of the value that is being judged. */
  get at(): string {
    return renderPointer(this.#path);
  }

  /** Judges a member or an item of the value. */
  judgeWithin(token: string | number, judge: Judge, value: JsonValue): void {
    this.#path.push(token);
    judge(value, this);
    this.#path.pop();
  }

  /** The flaws by a branch, which need not be flaws of the value; it evaluates where there are none. */
  judgeApart(branch: Judge, value: JsonValue, evaluated?: Evaluated): readonly Flaw[] {
    const { length } = this.flaws;
    this.take(1);
    const own = evaluated && new Evaluated();
    branch(value, this, own);
    if (this.flaws.length > length) return this.flaws.splice(length);
    if (own !== undefined) evaluated?.add(own);
    return noFlaws;
  }

  /** Takes steps: one for each schema that judges a value. Throws StepsError beyond the limit. */
  take(steps: number): void {
    this.#taken += steps;
    if (this.#taken > this.#most) this.#extend();
  }

  #extend(): void {
    this.#most = Math.max(this.#most, stepsPerValue * countValues(this.#root));
    if (this.#taken > this.#most)
      throw new StepsError(`takes more than ${this.#most} steps to be judged`);
  }

  /** Steps taken so far; undefined for few. */
  get steps(): number | undefined {
    return this.#taken < fewSteps ? undefined : this.#taken;
  }

  /** Whether a text matches; undefined, and a doubt, where that takes more steps than are left. */
  matches(pattern: Pattern, text: string): boolean | undefined {
    const { matches, steps } = pattern.judge(text, this.#patternSteps);
    this.#patternSteps -= steps;
    if (matches === undefined) this.doubts += 1;
    return matches;
  }

  /** Notes what lists the members of an object that its schemas mark `readOnly`. */
  noteReadOnly(object: JsonObject, list: () => readonly string[]): void {
    const known = this.#readOnly.get(object);
    if (known === undefined) this.#readOnly.set(object, [list]);
    else known.push(list);
  }

  /** Whether a request may lack a required member, as the server sets it. */
  mayLack(object: JsonObject, name: string): boolean {
    return this.#readOnly.get(object)?.some((list) => list().includes(name)) === true;
  }
}

const noFlaws: readonly Flaw[] = [];

/** What the keywords of one schema, and of those in place, have judged of one value. */
export class Evaluated {
  readonly names = new Set<string>();
  hasEveryName = false;
  /** Items from the start. */
  items = 0;
  /** Items that `contains` counts. */
  readonly contained = new Set<number>();

  add(other: Evaluated): void {
    for (const name of other.names) this.names.add(name);
    for (const index of other.contained) this.contained.add(index);
    this.hasEveryName ||= other.hasEveryName;
    this.items = Math.max(this.items, other.items);
  }
}

/** A value and all that it holds. */
function countValues(root: JsonValue): number {
  const pending: JsonValue[] = [root];
  let count = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    count += 1;
    if (isJsonArray(value)) for (const item of value) pending.push(item);
    else if (isJsonObject(value))
      for (const member of Object.values(value)) if (member !== undefined) pending.push(member);
  }
  return count;
}
