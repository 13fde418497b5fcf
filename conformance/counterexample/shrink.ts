import { requirementsOf } from '../family/requirements.ts';
import * as fc from 'fast-check';
import { tagPattern } from '../generate/tag.ts';
import {
  isJsonObject,
  renderJson,
  type JsonObject,
  type JsonValue,
} from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Family, Requirement } from '../judge/trace/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import {
  answeredItems,
  createCounterexample,
  type Counterexample,
  type CounterexampleStep,
} from './counterexample.ts';
import { itemResourceOf } from '../judge/trace/trace.ts';
import { readJson, type Exchange, type Intent } from '../transport/exchange.ts';
import { operationOf } from '../transport/target.ts';
import { sendCounterexample } from './send.ts';
import { findFailure, type Sought } from './reduce.ts';
import type { Session } from '../transport/session.ts';
import { leaps, shrinkable, type ShrinkHints } from './smaller-value.ts';
import { readTemplate, type BodyTemplate } from '../generate/template.ts';
import type { Failure } from '../judge/verdict.ts';

/** Characters of all bodies that are tried to find a smaller one that breaks the same requirement. */
export const mostSmallerBodies = 4 * 1024 * 1024;

/** A smaller body that breaks the same requirement, as it was sent. */
export interface Shrunk {
  /** The exchanges that show it, in order. */
  readonly exchanges: readonly Exchange[];
  readonly failure: Failure;
}

export interface ShrinkOptions {
  /** Most requests that the search may send. */
  readonly share: number;
  /** Tag of the run. */
  readonly tag: string;
  readonly nextTag: () => string;
}

/**
 * Looks for a smaller body that breaks the same requirement: each candidate is sent, with the
 * requests around it, and judged over those exchanges alone. Greedy: what still breaks it is where
 * the search goes on from. Undefined where nothing smaller was found within the share, or within what
 * is looked at of bodies.
 */
export async function shrinkBody(
  sought: Sought,
  exchanges: readonly Exchange[],
  session: Session,
  options: ShrinkOptions,
): Promise<Shrunk | undefined> {
  const subject = findSubject(sought, exchanges);
  if (subject === undefined) return undefined;
  const { tag } = options;
  const keep = tagIn(subject, tag);
  const bodies = shrinkable(keep);
  const wrong = issueKeys(subject, subject.body);
  const tried = new Set<string>([weigh(subject.body, tag)]);
  const place = exchanges.indexOf(subject.exchange);
  const trials = createTrials(sought, session, options);
  const example = trials.write(exchanges);
  let room: number = mostSmallerBodies;
  return await descend<JsonValue>(
    new fc.Value<JsonValue>(subject.body, undefined),
    (body, found) =>
      listSmaller(
        bodies,
        body,
        readHints(sought, subject, found?.exchanges ?? exchanges, { keep, tag }),
      ),
    async (body) => {
      const text = weigh(body, tag);
      room -= text.length;
      if (room < 0) return 'end';
      if (!isJsonObject(body) || tried.has(text) || issueKeys(subject, body) !== wrong)
        return undefined;
      tried.add(text);
      const changes = { body: renderJson(body), intent: adaptIntent(subject, body) };
      const steps = example.steps.map((step, at) =>
        at === place ? { ...step, ...changes } : step,
      );
      return await trials.send({ ...example, steps });
    },
  );
}

/**
 * Looks for a failing sequence that can be repeated, where the few exchanges that show a failure do
 * not fail when they are sent again: what the server did before them counts too. Of all the requests
 * of the same probe up to the failure, it leaves out ever more, as long as the rest still fails.
 */
export async function shrinkSequence(
  sought: Sought,
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
  const send = (some: readonly Exchange[]) => {
    const example = trials.write(some);
    const isWhole = example.steps.every((step) => isRepeatable(sought.contract, step));
    return isWhole ? trials.send(example) : Promise.resolve(undefined);
  };
  if ((await send(part)) !== undefined) return undefined;
  const first = await send(whole);
  if (first === undefined || first === 'end') return undefined;
  const sequences = fc.subarray([...whole], { minLength: 1 });
  const start = new fc.Value([...whole], undefined);
  const shrink = (some: fc.Value<Exchange[]>) => sequences.shrink(some.value, some.context);
  return (await descend(start, shrink, send)) ?? first;
}

/**
 * Tries the smaller values of one in turn, and goes on from the first that still fails, until none
 * does, or nothing more may be tried.
 */
async function descend<T>(
  start: fc.Value<T>,
  listSmallerOf: (value: fc.Value<T>, found: Shrunk | undefined) => IterableIterator<fc.Value<T>>,
  attempt: (value: T) => Promise<Shrunk | 'end' | undefined>,
): Promise<Shrunk | undefined> {
  let best: Shrunk | undefined;
  let candidates = listSmallerOf(start, best);
  for (let next = candidates.next(); next.done !== true; next = candidates.next()) {
    const found = await attempt(next.value.value);
    if (found === 'end') return best;
    if (found === undefined) continue;
    best = found;
    candidates = listSmallerOf(next.value, best);
  }
  return best;
}

/** Sends steps again, and judges what comes back. */
function createTrials(sought: Sought, session: Session, { share, tag, nextTag }: ShrinkOptions) {
  const { contract, requirement, plan } = sought;
  let left = share;
  return {
    write: (exchanges: readonly Exchange[]) =>
      createCounterexample(contract, requirement, exchanges, tag, plan),
    /** `end`: the requests that it takes are not left. */
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

/** Whether a request gets the identifier of the item that it is about from a step before it. */
function isRepeatable(
  contract: Contract,
  { operation, intent, path }: CounterexampleStep,
): boolean {
  const resource = itemResourceOf(contract, operationOf(contract, operation));
  const id = path?.[resource?.idParameter?.name ?? ''];
  return intent.kind !== 'valid' || typeof id !== 'string';
}

/** A body as a text in which every tag of the run looks alike. */
function weigh(body: JsonValue, tag: string): string {
  return renderJson(body).replaceAll(tagPattern(tag), tag);
}

/** The request whose body is to become smaller. */
interface Subject {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly template: BodyTemplate;
  readonly body: JsonObject;
}

/** The last request with a body of members. None of a group: those are about time. */
function findSubject({ contract }: Sought, exchanges: readonly Exchange[]): Subject | undefined {
  const groups = exchanges.flatMap(({ group }) => group ?? []);
  if (new Set(groups).size < groups.length) return undefined;
  for (const exchange of exchanges.toReversed()) {
    const operation = operationOf(contract, exchange.request.operation);
    const template = operation && readTemplate(contract, operation);
    const body = readJson(exchange.request.body);
    if (operation !== undefined && template && isJsonObject(body))
      return { exchange, operation, template, body };
  }
  return undefined;
}

function* listSmaller(
  bodies: fc.Arbitrary<JsonValue>,
  body: fc.Value<JsonValue>,
  hints: ShrinkHints,
): Generator<fc.Value<JsonValue>> {
  if (isJsonObject(body.value))
    for (const leap of leaps(body.value, hints)) yield new fc.Value<JsonValue>(leap, undefined);
  yield* bodies.shrink(body.value, body.context);
}

/** The tag of the run in the text that carries it; empty for none. */
function tagIn({ template: { tagged = '' }, body }: Subject, tag: string): string {
  const { [tagged]: text } = body;
  return typeof text === 'string' ? (tagPattern(tag).exec(text)?.[0] ?? '') : '';
}

/** What guides the search on from exchanges that show the failure. */
function readHints(
  { contract, requirement }: Sought,
  { template: { node } }: Subject,
  shown: readonly Exchange[],
  { keep, tag }: { readonly keep: string; readonly tag: string },
): ShrinkHints {
  const received = Object.entries(responseOf(contract, shown)).map(([each, value]) => [
    each,
    typeof value === 'string' ? value.replaceAll(tagPattern(tag), keep) : value,
  ]);
  return {
    keep,
    member: memberOf(requirementsOf(contract).get(requirement)),
    received: Object.fromEntries(received),
    isOptional: (each) => !node.shape().required.has(each),
  };
}

/** Where and how a body breaks its schema; the same for bodies that are wrong in the same way. */
function issueKeys({ template }: Subject, body: JsonObject): string {
  return [...new Set(template.node.validate(body).map(({ at, keyword }) => `${at} ${keyword}`))]
    .toSorted()
    .join('\n');
}

/** A smaller body may refer to a record that no one has seen: then it may be refused. */
function adaptIntent(
  { template, body: first, exchange: { intent } }: Subject,
  body: JsonObject,
): Intent {
  if (intent.kind !== 'valid') return intent;
  const changed = [...template.references]
    .filter(([name]) => Object.hasOwn(body, name) && body[name] !== first[name])
    .map(([, question]) => question.id);
  return { ...intent, mayRefuse: [...new Set([...intent.mayRefuse, ...changed])] };
}

/** The item that the last of some exchanges was answered. */
function responseOf(contract: Contract, exchanges: readonly Exchange[]): JsonObject {
  const last = exchanges.at(-1);
  const items = last
    ? contract.resources.flatMap((resource) => answeredItems(contract, last, resource))
    : [];
  return items.length === 1 ? (items[0] ?? {}) : {};
}

/** The member that a requirement names, the outermost where it is nested. */
function memberOf(requirement: Requirement | undefined): string | undefined {
  const subject = requirement?.subject;
  if (subject?.kind === 'state') return 'member' in subject ? subject.member : undefined;
  const path = subject && 'path' in subject ? subject.path : [];
  return path[0] === '[]' ? undefined : path[0];
}

/** Whether the size of a body can matter: not where time or the number of requests does. */
export function isAboutBodies(family: Family): boolean {
  return !['rate-limit', 'auth', 'concurrency', 'header'].includes(family);
}
