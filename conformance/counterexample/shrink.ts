import { requirementsOf } from '../family/requirements.ts';
import * as fc from 'fast-check';
import { valueAt } from '../../contract/json/place.ts';
import { tagPattern } from '../generate/tag.ts';
import { canonicalInteger } from '../../contract/json/number.ts';
import {
  isJsonArray,
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Family } from '../judge/trace/requirement.ts';
import {
  answeredItems,
  createCounterexample,
  type Counterexample,
  type CounterexampleStep,
} from './counterexample.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import type { Exchange, Intent } from '../transport/exchange.ts';
import { readSentBody } from '../transport/sent-body.ts';
import { operationOf } from '../transport/target.ts';
import { sendCounterexample } from './send.ts';
import { findFailure, type FailureSearch } from './reduce.ts';
import type { Session } from '../transport/session.ts';
import { readTemplate, type BodyTemplate } from '../generate/template.ts';
import type { Failure } from '../judge/verdict.ts';

/** Most characters of all candidate bodies together. */
export const maxSmallerBodies = 250_000;

/** Repeated exchanges that show the failure, in order. */
export interface Shrunk {
  readonly exchanges: readonly Exchange[];
  readonly failure: Failure;
}

export interface ShrinkOptions {
  /** Requests that the search may send. */
  readonly share: number;
  /** Tag of the run. */
  readonly tag: string;
  readonly nextTag: () => string;
}

/**
 * Looks for a smaller body that breaks the same requirement. Each candidate is sent with the
 * surrounding requests and judged from these exchanges alone. The search is greedy: it continues
 * from each candidate that still fails. Undefined if nothing smaller was found within its limits.
 */
export async function shrinkBody(
  sought: FailureSearch,
  exchanges: readonly Exchange[],
  session: Session,
  options: ShrinkOptions,
): Promise<Shrunk | undefined> {
  const subject = findSubject(sought.contract, exchanges);
  if (subject === undefined) return undefined;
  const { place, template, body: first, intent } = subject;
  const tag = tagPattern(options.tag);
  const { [template.tagged ?? '']: tagged } = first;
  const keep = typeof tagged === 'string' ? (tag.exec(tagged)?.[0] ?? '') : '';
  // All tags of the run are equivalent.
  const weigh = (body: JsonValue): string => renderJson(body).replaceAll(tag, options.tag);
  const wrong = issueKeys(template, first);
  const tried = new Set<string>([weigh(first)]);
  const trials = createTrials(sought, session, options);
  const example = trials.write(exchanges);
  let room: number = maxSmallerBodies;
  const attempt = async (body: JsonValue): Promise<Shrunk | 'end' | undefined> => {
    const text = weigh(body);
    room -= text.length;
    if (room < 0) return 'end';
    if (!isJsonObject(body) || tried.has(text) || issueKeys(template, body) !== wrong)
      return undefined;
    tried.add(text);
    const sent = renderJson(template.wrap(body));
    const changes = { body: sent, intent: adaptIntent(intent, template, first, body) };
    const steps = example.steps.map((step, at) => (at === place ? { ...step, ...changes } : step));
    return await trials.send({ ...example, steps });
  };
  const received = Object.entries(lastItem(sought.contract, exchanges)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll(tag, keep) : value,
  ]);
  const bodies = shrinkable(keep);
  const hints = {
    keep,
    member: memberOf(sought),
    received: Object.fromEntries(received),
    required: template.node.shape().required,
  };
  const start = listShortcuts(first, hints).map((body) => new fc.Value<JsonValue>(body, undefined));
  return await descend(
    fc.stream(start.values()).join(bodies.shrink(first, undefined)),
    (body) => bodies.shrink(body.value, body.context),
    attempt,
  );
}

/**
 * Looks for a reproducible failing sequence if the few exchanges that show a failure do not fail
 * when repeated, because the server's earlier state matters. Starts with all requests of the probe
 * up to the failure, and leaves out more and more while the rest still fails.
 */
export async function shrinkSequence(
  sought: FailureSearch,
  log: readonly Exchange[],
  { part, failure }: { readonly part: readonly Exchange[]; readonly failure: Failure },
  session: Session,
  options: ShrinkOptions,
): Promise<Shrunk | undefined> {
  const probe = log[failure.exchange]?.probe ?? '';
  const whole = log.filter((each) => each.probe === probe && each.index <= failure.exchange);
  if (!probe.includes('/fuzz ') || whole.length <= part.length) return undefined;
  if (part.length + whole.length > options.share) return undefined;
  const trials = createTrials(sought, session, options);
  const send = async (some: readonly Exchange[]) => {
    const example = trials.write(some);
    const isWhole = example.steps.every((step) => isRepeatable(sought.contract, step));
    return isWhole ? await trials.send(example) : undefined;
  };
  if ((await send(part)) !== undefined) return undefined;
  const sequences = fc.subarray([...whole], { minLength: 1 });
  const start = [new fc.Value([...whole], undefined)];
  return await descend(start.values(), (some) => sequences.shrink(some.value, some.context), send);
}

/**
 * Tries values in turn and continues with the smaller variants of the first that still fails, until
 * none does or a limit is reached.
 */
async function descend<T>(
  start: IterableIterator<fc.Value<T>>,
  shrink: (value: fc.Value<T>) => IterableIterator<fc.Value<T>>,
  attempt: (value: T) => Promise<Shrunk | 'end' | undefined>,
): Promise<Shrunk | undefined> {
  let best: Shrunk | undefined;
  let candidates = start;
  for (let next = candidates.next(); next.done !== true; next = candidates.next()) {
    const found = await attempt(next.value.value);
    if (found === 'end') return best;
    if (found === undefined) continue;
    best = found;
    candidates = shrink(next.value);
  }
  return best;
}

/** Repeats steps and judges the responses. */
function createTrials(
  sought: FailureSearch,
  session: Session,
  { share, tag, nextTag }: ShrinkOptions,
) {
  const { contract, requirement, plan } = sought;
  let left = share;
  return {
    write: (exchanges: readonly Exchange[]) =>
      createCounterexample(contract, requirement, exchanges, tag, plan),
    /** `end`: not enough requests are left. */
    send: async (example: Counterexample): Promise<Shrunk | 'end' | undefined> => {
      if (example.steps.length > left) return 'end';
      const before = session.left();
      const options = { nextTag, references: new Map<string, JsonValue>() };
      const exchanges = await sendCounterexample(example, session, options);
      left -= before - session.left();
      const failure = findFailure(sought, exchanges);
      return failure && { exchanges, failure };
    },
  };
}

/** Whether a request gets the id of its item from an earlier step. */
function isRepeatable(
  contract: Contract,
  { operation, intent, path }: CounterexampleStep,
): boolean {
  const resource = itemResourceOf(contract, operationOf(contract, operation));
  const id = path?.[resource?.idParameter?.name ?? ''];
  return intent.kind !== 'valid' || typeof id !== 'string';
}

/** The request whose body is reduced, by its position among the exchanges. */
interface Subject {
  readonly place: number;
  readonly intent: Intent;
  readonly template: BodyTemplate;
  readonly body: JsonObject;
}

/** The last request whose body is an object, except concurrent ones, which are about timing. */
function findSubject(contract: Contract, exchanges: readonly Exchange[]): Subject | undefined {
  const groups = exchanges.flatMap(({ group }) => group ?? []);
  if (new Set(groups).size < groups.length) return undefined;
  for (const [place, { request, intent }] of [...exchanges.entries()].toReversed()) {
    const operation = operationOf(contract, request.operation);
    const template = operation && readTemplate(contract, operation);
    const body = template && valueAt(readSentBody(operation, request).body, template.place);
    if (template !== undefined && isJsonObject(body)) return { place, intent, template, body };
  }
  return undefined;
}

/** Where and how a body breaks its schema; equal for bodies that are wrong in the same way. */
function issueKeys({ node }: BodyTemplate, body: JsonObject): string {
  const keys = node.validate(body).map(({ at, keyword }) => `${at} ${keyword}`);
  return [...new Set(keys)].toSorted().join('\n');
}

/** A smaller body may refer to an unknown record, which the target may refuse. */
function adaptIntent(
  intent: Intent,
  { references }: BodyTemplate,
  first: JsonObject,
  body: JsonObject,
): Intent {
  if (intent.kind !== 'valid') return intent;
  const changed = [...references]
    .filter(([name]) => Object.hasOwn(body, name) && body[name] !== first[name])
    .map(([, question]) => question.id);
  return { ...intent, mayRefuse: [...new Set([...intent.mayRefuse, ...changed])] };
}

/** The item in the last response. */
function lastItem(contract: Contract, exchanges: readonly Exchange[]): JsonObject {
  const last = exchanges.at(-1);
  const items = contract.resources.flatMap((resource) =>
    last === undefined ? [] : answeredItems(contract, last, resource),
  );
  return items.length === 1 ? (items[0] ?? {}) : {};
}

/** The member that a requirement names, the outermost if nested; empty for none. */
function memberOf({ contract, requirement }: FailureSearch): string {
  const subject = requirementsOf(contract).get(requirement)?.subject;
  if (subject?.kind === 'state') return 'member' in subject ? subject.member : '';
  const [outermost = ''] = subject && 'path' in subject ? subject.path : [];
  return outermost;
}

/**
 * Whether the size of a body can matter: not for requirements about time or the number of requests.
 */
export function isAboutBodies(family: Family): boolean {
  return !['rate-limit', 'auth', 'concurrency', 'header'].includes(family);
}

interface ShrinkHints {
  /** Text that must stay in texts that contain it: the tag of the run. */
  readonly keep: string;
  /** The member that the requirement names; empty for none. */
  readonly member: string;
  /** The returned members. The cause is where they differ from the sent ones. */
  readonly received: JsonObject;
  readonly required: ReadonlySet<string>;
}

/**
 * Bodies to try before fast-check's own search, because each may save many steps: only the required
 * members and the one in question, and of texts only the first character that came back
 * differently.
 */
export function listShortcuts(
  body: JsonObject,
  { keep, member, received, required }: ShrinkHints,
): readonly JsonObject[] {
  const simplest = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return keep !== '' && value.includes(keep) ? keep : value;
    return isJsonArray(value) ? [] : value;
  };
  const least = new Map<string, JsonValue>();
  const odd = new Map<string, JsonValue>();
  for (const [name, value = null] of Object.entries(body)) {
    if (name === member) least.set(name, value);
    else if (required.has(name)) least.set(name, simplest(value));
    const { [name]: came } = received;
    if (typeof value !== 'string' || typeof came !== 'string') continue;
    const characters = Array.from(came);
    const trap = Array.from(value).find((character, at) => character !== characters[at]);
    if (trap !== undefined) odd.set(name, value.includes(keep) ? keep + trap : trap);
  }
  const oddLeast = [...odd].filter(([name]) => least.has(name));
  return [
    Object.fromEntries([...least, ...oddLeast]),
    Object.fromEntries(least),
    { ...body, ...Object.fromEntries(odd) },
  ];
}

/** Values that a function makes smaller, wherever they come from. */
class Shrinkable<T> extends fc.Arbitrary<T> {
  readonly #isOne: (value: unknown) => value is T;
  readonly #smaller: (value: T) => Iterable<T>;
  constructor(
    isOne: (value: unknown) => value is T,
    smaller: (value: T) => Iterable<T> = () => [],
  ) {
    super();
    this.#isOne = isOne;
    this.#smaller = smaller;
  }
  override generate(): never {
    throw new Error('This arbitrary only shrinks.');
  }
  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#isOne(value);
  }
  override shrink(value: T): fc.Stream<fc.Value<T>> {
    const smaller = Iterator.from(this.#smaller(value));
    return fc.stream(smaller.map((each) => new fc.Value(each, undefined)));
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isJson = (_value: unknown): _value is JsonValue => true;

/** Removes shorter and shorter parts of a text, but not `keep`. */
function* shorten(text: string, keep: string): Generator<string> {
  const at = keep === '' ? -1 : text.indexOf(keep);
  const characters =
    at < 0
      ? Array.from(text)
      : [...Array.from(text.slice(0, at)), keep, ...Array.from(text.slice(at + keep.length))];
  for (let size = characters.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < characters.length; start += size) {
      const kept = characters.slice(start, start + size).filter((each) => each === keep);
      yield characters.toSpliced(start, size, ...kept).join('');
    }
}

/** Shrinks any JSON value without replacing characters of texts. */
export function shrinkable(keep: string): fc.Arbitrary<JsonValue> {
  const integer = fc.bigInt().map(canonicalInteger, (value) => {
    if (typeof value === 'bigint' || Number.isInteger(value)) return BigInt(String(value));
    throw new Error('no integer');
  });
  return fc.letrec<{ json: JsonValue }>((tie) => ({
    json: fc.oneof(
      fc.boolean(),
      integer,
      new Shrinkable(isText, (text) => shorten(text, keep)),
      fc.array(tie('json')),
      fc.dictionary(new Shrinkable(isText), tie('json')),
      new Shrinkable(isJson),
    ),
  })).json;
}
