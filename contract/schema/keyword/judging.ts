import { renderPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Pattern, mostPatternSteps } from '../../pattern/pattern.ts';

/** Schemas that judge one value and what is in it; at least 500 for each value in it. */
export const mostJudgementSteps = 200_000;

/** Steps for each value that a judged value holds, where those are more than the usual limit. */
const stepsPerValue = 500;

/** Adds what is wrong with a value to the flaws of the judging: nothing where it fits. */
export type Judge = (value: JsonValue, judging: Judging, evaluated?: Evaluated) => void;

/** The members or items of a value that the keywords of a schema, and of those in place, judged. */
export type Evaluated = Set<string | number>;

/** An issue whose message is rendered only if the issue is reported. */
export interface Flaw {
  readonly at: string;
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly message: () => string;
}

/** Which way a value is sent: what `readOnly` marks need not be in a request. */
export type Direction = 'request' | 'response';

/**
 * A value is not judged to its end. `steps`: that takes more than is allowed; `depth`: it is nested
 * beyond the stack; `pattern`: matching one of its texts takes more steps than is allowed; `schema`:
 * the schema cannot judge it. The message completes "it": `takes more than 20000 steps to be judged`.
 */
export class UndecidedError extends Error {
  readonly kind: 'steps' | 'depth' | 'pattern' | 'schema';

  constructor(kind: UndecidedError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** One validation: what it found so far, and what it may still cost. */
export class Judging {
  readonly flaws: Flaw[] = [];
  readonly isRequest: boolean;
  /** Taken so far: one for each schema that judges a value. */
  steps = 0;
  /** By a pattern; what else is wrong is found. In a branch: of what the branch judges. */
  undecided: UndecidedError | undefined;
  readonly #root: JsonValue;
  readonly #path: (string | number)[] = [];
  #most: number = mostJudgementSteps;
  #patternSteps: number = mostPatternSteps;
  #readOnly: Map<JsonObject, (() => readonly string[])[]> | undefined;

  constructor(root: JsonValue, direction: Direction) {
    this.#root = root;
    this.isRequest = direction === 'request';
  }

  /** The JSON pointer of the value that is being judged. */
  get at(): string {
    return renderPointer(this.#path);
  }

  /** Judges a member or an item of the value, which evaluates it. */
  judgeWithin(token: string | number, judge: Judge, value: JsonValue, evaluated?: Evaluated): void {
    evaluated?.add(token);
    this.#path.push(token);
    judge(value, this);
    this.#path.pop();
  }

  /**
   * The flaws by a branch, which need not be flaws of the value; it evaluates where there are none.
   * Undefined where a pattern leaves open whether there are any.
   */
  judgeApart(branch: Judge, value: JsonValue, evaluated?: Evaluated): readonly Flaw[] | undefined {
    const { flaws, undecided } = this;
    const { length } = flaws;
    this.take(1);
    this.undecided = undefined;
    const own: Evaluated | undefined = evaluated && new Set();
    branch(value, this, own);
    if (flaws.length === length && this.undecided !== undefined) return undefined;
    this.undecided = undecided;
    if (flaws.length > length) return flaws.splice(length);
    for (const token of own ?? []) evaluated?.add(token);
    return noFlaws;
  }

  /** Takes steps. Throws UndecidedError beyond the limit. */
  take(steps: number): void {
    this.steps += steps;
    if (this.steps <= this.#most) return;
    this.#most = Math.max(this.#most, stepsPerValue * countValues(this.#root));
    if (this.steps > this.#most)
      throw new UndecidedError('steps', `takes more than ${this.#most} steps to be judged`);
  }

  /** Whether a text matches; undefined where that takes more steps than are left. */
  matches(pattern: Pattern, text: string): boolean | undefined {
    const { matches, steps } = pattern.judge(text, this.#patternSteps);
    this.#patternSteps -= steps;
    if (matches === undefined) {
      const most = `${mostPatternSteps} steps to be matched with its pattern`;
      this.undecided = new UndecidedError('pattern', `has a text that takes more than ${most}`);
    }
    return matches;
  }

  /** Notes what lists the members of an object that its schemas mark `readOnly`. */
  noteReadOnly(object: JsonObject, list: () => readonly string[]): void {
    this.#readOnly ??= new Map();
    const known = this.#readOnly.get(object);
    if (known === undefined) this.#readOnly.set(object, [list]);
    else known.push(list);
  }

  /** Whether a request may lack a required member, as the server sets it. */
  mayLack(object: JsonObject, name: string): boolean {
    return this.#readOnly?.get(object)?.some((list) => list().includes(name)) === true;
  }
}

const noFlaws: readonly Flaw[] = [];

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
