import { appendPointer, canonicalFragment, renderPointer } from '../../json/pointer.ts';
import { addAll } from '../../list/list.ts';
import {
  isJsonArray,
  isJsonObject,
  objectOf,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { type Pattern, maxPatternSteps } from '../../pattern/pattern.ts';

/** Most schemas that judge one value and its contents; at least 500 per contained value. */
export const maxJudgementSteps = 200_000;

/** Steps per contained value, if those exceed the usual limit. */
const stepsPerValue = 500;

/** Steps after which a judging remembers what schemas find, and of how many values. */
const stepsToRemember = 10_000;
const maxRemembered = 50_000;

/** Adds the violations of a value to a judging; none if it is valid. */
export type Judge = (value: JsonValue, judging: Judging, evaluated?: Evaluated) => void;

/** The members or items of a value that keywords of a schema and its in-place subschemas evaluated. */
export type Evaluated = Set<string | number>;

/** A member or an item of the judged value, below its parent. */
interface Path {
  readonly token: string | number;
  readonly above: Path | undefined;
}

/** A violation. `message` receives the pointer that it is about. */
export interface Violation {
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly message: (at: string) => string;
}

/**
 * A violation at a place. Most are never reported, such as those by other branches, so texts are rendered
 * on demand.
 */
export class Flaw {
  readonly violation: Violation;
  readonly #path: Path | undefined;
  readonly #below: string;
  #message: string | undefined;

  /** `below`: a JSON pointer from the value at `path` to the missing member. */
  constructor(violation: Violation, path: Path | undefined, below: string) {
    this.violation = violation;
    this.#path = path;
    this.#below = below;
  }

  get at(): string {
    return renderPath(this.#path) + this.#below;
  }

  /** Rendered once, as the messages of several unions may be about the same flaw. */
  get message(): string {
    return (this.#message ??= this.violation.message(this.at));
  }

  /** The same flaw in other words. */
  reword(change: (message: string) => string): Flaw {
    const message = () => change(this.message);
    return new Flaw({ ...this.violation, message }, this.#path, this.#below);
  }
}

function renderPath(path: Path | undefined): string {
  const tokens: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.above) tokens.push(at.token);
  return renderPointer(tokens.toReversed());
}

function isSamePath(one: Path | undefined, other: Path | undefined): boolean {
  let [at, also] = [one, other];
  for (; at !== also; [at, also] = [at.above, also.above])
    if (at === undefined || at.token !== also?.token) return false;
  return true;
}

/** What a schema finds wrong with a value at a place. */
interface Remembered {
  readonly path: Path | undefined;
  readonly flaws: readonly Flaw[];
  /** The last branch to which the flaws were added. */
  branch: number;
}

/** The direction of a message: members marked `readOnly` need not be in a request. */
export type Direction = 'request' | 'response';

/**
 * The judging of a value did not finish. `steps`: it takes more than allowed; `depth`: the value is nested
 * too deeply for the stack; `pattern`: matching one of its texts takes more steps than allowed; `schema`:
 * the schema cannot judge it. The message completes "it": `takes more than 20000 steps to be judged`.
 */
export class UndecidedError extends Error {
  readonly kind: 'steps' | 'depth' | 'pattern' | 'schema';

  constructor(kind: UndecidedError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Finds a schema that marks members `readOnly`; called only if a required member is missing. */
export type FindMarks = () => { readonly readOnlyNames: ReadonlySet<string> };

/** One validation: its violations so far, and its remaining cost. */
export class Judging {
  readonly flaws: Flaw[] = [];
  readonly isRequest: boolean;
  /** Steps so far: one for each schema that judges a value. */
  steps = 0;
  /**
   * Undecided because of a pattern; other violations are still found. In a branch: about what the branch
   * judges.
   */
  undecided: UndecidedError | undefined;
  readonly #root: JsonValue;
  #path: Path | undefined;
  #lastObject: JsonObject | undefined;
  #lastNames: readonly string[] = [];
  #most: number = maxJudgementSteps;
  #patternSteps: number = maxPatternSteps;
  /** Most values need none. */
  #known: Map<Judge, Map<JsonValue, Remembered>> | undefined;
  #remembered = 0;
  /** Numbers of the branch that is being judged apart, and of the last one. */
  #branch = 0;
  #lastBranch = 0;
  #readOnly: Map<JsonObject, Set<FindMarks>> | undefined;

  constructor(root: JsonValue, direction: Direction) {
    this.#root = root;
    this.isRequest = direction === 'request';
  }

  /** The JSON pointer of the current value. */
  get at(): string {
    return renderPath(this.#path);
  }

  /** Adds a violation of the current value; `below` is a pointer from there. */
  refuse(violation: Violation, below = ''): void {
    this.flaws.push(new Flaw(violation, this.#path, below));
  }

  /** The names of an object's members, cached because hundreds of schemas may judge one object in a row. */
  namesIn(object: JsonObject): readonly string[] {
    if (this.#lastObject !== object) {
      this.#lastObject = object;
      this.#lastNames = Object.keys(object);
    }
    return this.#lastNames;
  }

  /** Judges a member or an item of the current value, which counts as evaluated. */
  judgeWithin(token: string | number, judge: Judge, value: JsonValue, evaluated?: Evaluated): void {
    evaluated?.add(token);
    const above = this.#path;
    this.#path = { token, above };
    judge(value, this);
    this.#path = above;
  }

  /**
   * The violations by a branch, which need not be violations of the value; without any, the branch
   * evaluates its members. Undefined if a pattern leaves it undecided.
   */
  judgeApart(branch: Judge, value: JsonValue, evaluated?: Evaluated): readonly Flaw[] | undefined {
    const { flaws, undecided } = this;
    const { length } = flaws;
    this.take(1);
    this.undecided = undefined;
    const own: Evaluated | undefined = evaluated && new Set();
    const around = this.#branch;
    this.#branch = this.#lastBranch += 1;
    branch(value, this, own);
    this.#branch = around;
    if (flaws.length === length && this.undecided !== undefined) return undefined;
    this.undecided = undecided;
    if (flaws.length > length) return flaws.splice(length);
    for (const token of own ?? []) evaluated?.add(token);
    return noFlaws;
  }

  /**
   * Judges a value by a schema that is referred to. What is wrong with the value is remembered, as
   * references may lead to it in exponentially many ways.
   */
  judgeReferred(judge: Judge, value: JsonValue, evaluated: Evaluated | undefined): void {
    this.take(1);
    if (this.steps < stepsToRemember || evaluated !== undefined)
      return judge(value, this, evaluated);
    this.#known ??= new Map();
    const known = this.#known.get(judge) ?? new Map<JsonValue, Remembered>();
    this.#known.set(judge, known);
    const found = known.get(value);
    if (found !== undefined && (found.flaws.length === 0 || isSamePath(found.path, this.#path))) {
      if (found.branch === this.#branch) return;
      found.branch = this.#branch;
      this.take(found.flaws.length);
      return addAll(this.flaws, found.flaws);
    }
    const { flaws, undecided } = this;
    const { length } = flaws;
    judge(value, this);
    if (this.undecided !== undecided || this.#remembered >= maxRemembered) return;
    this.#remembered += 1;
    const branch = this.#branch;
    known.set(value, { path: this.#path, flaws: flaws.slice(length), branch });
  }

  /** Counts steps. Throws UndecidedError beyond the limit. */
  take(steps: number): void {
    this.steps += steps;
    if (this.steps <= this.#most) return;
    this.#most = Math.max(this.#most, stepsPerValue * countValues(this.#root));
    if (this.steps > this.#most)
      throw new UndecidedError('steps', `takes more than ${this.#most} steps to be judged`);
  }

  /** Whether a text matches; undefined if that takes more steps than are left. */
  matches(pattern: Pattern, text: string): boolean | undefined {
    const { matches, steps } = pattern.judge(text, this.#patternSteps);
    this.#patternSteps -= steps;
    if (matches === undefined) {
      const most = `${maxPatternSteps} steps to be matched with its pattern`;
      this.undecided = new UndecidedError('pattern', `has a text that takes more than ${most}`);
    }
    return matches;
  }

  /** Records a schema that judges an object, because it may mark members `readOnly`. */
  noteReadOnly(object: JsonObject, find: FindMarks): void {
    this.#readOnly ??= new Map();
    const known = this.#readOnly.get(object);
    if (known === undefined) this.#readOnly.set(object, new Set([find]));
    else known.add(find);
  }

  /** Whether a request may lack a required member that the server sets. */
  mayLack(object: JsonObject, name: string): boolean {
    for (const find of this.#readOnly?.get(object) ?? [])
      if (find().readOnlyNames.has(name)) return true;
    return false;
  }
}

const noFlaws: readonly Flaw[] = [];

/** The number of values in a value, including itself. */
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

/** A keyword whose test needs only the value. */
export function testKeyword(
  place: KeywordPlace,
  isWrong: (value: JsonValue) => boolean,
  message: (value: JsonValue) => string,
): Judge {
  return (value, judging) => {
    if (isWrong(value)) place.refuse(judging, () => message(value));
  };
}

/** A keyword that only restricts numbers. */
export function testNumber(
  place: KeywordPlace,
  isWrong: (value: number | bigint) => boolean,
  message: () => string,
): Judge {
  return (value, judging) => {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    if (isNumber && isWrong(value)) place.refuse(judging, message);
  };
}

/** Judges one member or item of the current value. */
type JudgeWithin<Token> = (
  token: Token,
  inner: JsonValue,
  judging: Judging,
  evaluated: Evaluated | undefined,
) => void;

/** If an object has this many times the members of a schema, the members of the schema are looked up. */
const muchWider = 8;

/** Judges each member of an object. `only`: the members to judge; default: all. */
export function eachMember(judgeMember: JudgeWithin<string>, only?: readonly string[]): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonObject(value)) return;
    const all = judging.namesIn(value);
    const isSparse = only !== undefined && all.length > muchWider * only.length;
    const names = isSparse ? only.filter((name) => Object.hasOwn(value, name)) : all;
    judging.take(isSparse ? only.length : names.length);
    for (const name of names) {
      const member = value[name];
      if (member !== undefined) judgeMember(name, member, judging, evaluated);
    }
  };
}

/** Judges each item of an array. */
export function eachItem(judgeItem: JudgeWithin<number>): Judge {
  return (value, judging, evaluated) => {
    if (!isJsonArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      const item = value[index];
      if (item !== undefined) judgeItem(index, item, judging, evaluated);
    }
  };
}

/** Judges members or items that no other keyword evaluated. */
export function judgeUnevaluated(
  place: KeywordPlace,
  each: (judgeOne: JudgeWithin<string | number>) => Judge,
): Judge {
  const judge = place.subschema(place.value);
  return each((token, inner, judging, evaluated) => {
    if (evaluated?.has(token) !== true && judging.undecided === undefined)
      judging.judgeWithin(token, judge, inner, evaluated);
  });
}

/** The schemas of a document, during compilation. */
export interface SchemaSource {
  /** The judge of the schema at a canonical pointer, compiled once. */
  compile(pointer: string): Judge;
  /** The judge of a schema. `applicator`: the keyword that contains it. */
  compileAt(schema: JsonValue, pointer: string, applicator: string): Judge;
  /** A pattern, compiled once for all schemas that use it. */
  pattern(source: string): Pattern;
}

/** A keyword in one schema. A large document has hundreds of thousands, which their judges retain. */
export class KeywordPlace {
  /** The schema that contains it. */
  readonly schema: JsonObject;
  readonly #source: SchemaSource;
  readonly #name: string;
  /** Of the schema. */
  readonly #pointer: string;

  constructor(source: SchemaSource, name: string, schema: JsonObject, pointer: string) {
    this.schema = schema;
    this.#source = source;
    this.#name = name;
    this.#pointer = pointer;
  }

  /** Its value in the schema, of the type that the keyword takes. */
  get value(): JsonValue {
    return this.schema[this.#name] ?? null;
  }

  /** Its value if that is a string; else empty. */
  get text(): string {
    return typeof this.value === 'string' ? this.value : '';
  }

  /** Adds a violation of the current value; `at`: a pointer below it. */
  refuse(judging: Judging, message: Violation['message'], at = ''): void {
    // Keyword names need no escaping.
    const schemaPointer = `${this.#pointer}/${this.#name}`;
    judging.refuse({ keyword: this.#name, schemaPointer, message }, at);
  }

  pattern(source: string): Pattern {
    return this.#source.pattern(source);
  }

  /** Compiles a subschema by its path below the keyword. */
  subschema(subschema: JsonValue, ...tokens: readonly (string | number)[]): Judge {
    const pointer = appendPointer(this.#pointer, this.#name, ...tokens);
    return this.#source.compileAt(subschema, pointer, this.#name);
  }

  /** Compiles the subschemas in an array or an object, each with its index or name. */
  subschemas(): readonly (readonly [token: string, judge: Judge])[] {
    const entries = Object.entries(isJsonArray(this.value) ? this.value : objectOf(this.value));
    return entries.map(([token, subschema = true]) => [token, this.subschema(subschema, token)]);
  }

  /** Compiles the schema of another keyword next to it; undefined for none. */
  sibling(name: string): Judge | undefined {
    const subschema = this.schema[name];
    return subschema === undefined
      ? undefined
      : this.#source.compileAt(subschema, appendPointer(this.#pointer, name), name);
  }

  /** The target of a `$ref`, compiled when first needed. Each reference in a chain counts as a step. */
  reference(reference: string): Judge {
    const pointer = canonicalFragment(reference);
    let judge: Judge | undefined;
    return (value, judging, evaluated) => {
      judge ??= this.#source.compile(pointer);
      judging.judgeReferred(judge, value, evaluated);
    };
  }
}
