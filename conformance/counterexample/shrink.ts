import { tagPattern } from '../generate/tag.ts';
import { isJsonObject, renderJson, type JsonObject } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Family, Requirement } from '../../contract/requirement/requirement.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { answeredItems, createCounterexample } from './counterexample.ts';
import { readJson, type Exchange, type Intent } from '../transport/exchange.ts';
import { operationOf } from '../transport/target.ts';
import { createRequest } from './send.ts';
import { findFailure, type Sought } from './reduce.ts';
import type { Session } from '../transport/session.ts';
import { smallerBodies } from './smaller-body.ts';
import { readTemplate, type BodyTemplate } from '../generate/valid-body.ts';
import type { Failure } from '../judge/verdict.ts';

/** Characters of all bodies that are tried to find a smaller one that breaks the same requirement. */
export const mostSmallerBodies = 4 * 1024 * 1024;

/** A smaller body that breaks the same requirement, as it was sent. */
export interface Shrunk {
  /** The exchanges that show it, context included, in order. */
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
 * requests after it, and judged over those exchanges alone. Greedy: what still breaks it is where
 * the search goes on from. Undefined where nothing smaller was found within the share, or within what
 * is looked at of bodies.
 */
export async function shrinkCounterexample(
  sought: Sought,
  exchanges: readonly Exchange[],
  session: Session,
  options: ShrinkOptions,
): Promise<Shrunk | undefined> {
  const subject = findSubject(sought, exchanges);
  if (subject === undefined) return undefined;
  const search = createSearch(sought, exchanges, subject, session, options);
  const tried = new Set<string>([weigh(subject.body, options.tag)]);
  let best: Shrunk | undefined;
  let room: number = mostSmallerBodies;
  let candidates = search.smallerThan(subject.body, exchanges);
  for (let next = candidates.next(); next.done !== true; next = candidates.next()) {
    const body = next.value;
    const text = weigh(body, options.tag);
    room -= text.length;
    if (room < 0) return best;
    if (tried.has(text) || !search.isValid(body)) continue;
    tried.add(text);
    if (!search.hasRoom()) return best;
    const found = await search.send(body);
    if (found === undefined) continue;
    best = found;
    candidates = search.smallerThan(body, found.exchanges);
  }
  return best;
}

/** A body as a text in which every tag of the run looks alike. */
function weigh(body: JsonObject, tag: string): string {
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

interface Search {
  /** Candidates, by a body and the exchanges that show what came back of it. */
  readonly smallerThan: (body: JsonObject, exchanges: readonly Exchange[]) => Generator<JsonObject>;
  /** Wrong in the same way as the first body, or not at all like it. */
  readonly isValid: (body: JsonObject) => boolean;
  /** The requests that a candidate takes are left. */
  readonly hasRoom: () => boolean;
  readonly send: (body: JsonObject) => Promise<Shrunk | undefined>;
}

function createSearch(
  sought: Sought,
  exchanges: readonly Exchange[],
  subject: Subject,
  session: Session,
  options: ShrinkOptions,
): Search {
  const { contract, requirement } = sought;
  const { node, tagged } = subject.template;
  const wrong = issueKeys(subject, subject.body);
  const name = tagged === undefined ? undefined : subject.body[tagged];
  const keep = typeof name === 'string' ? (tagPattern(options.tag).exec(name)?.[0] ?? '') : '';
  const context = exchanges.filter(({ index }) => index < subject.exchange.index);
  const { tag, nextTag } = options;
  const { steps: all } = createCounterexample(contract, requirement, exchanges, tag, sought.plan);
  const steps = all.slice(context.length);
  const member = memberOf(contract.requirementOf(requirement));
  const isOptional = (each: string): boolean => !node.shape().required.has(each);
  let left = options.share;
  return {
    smallerThan: (body, some) => {
      const received = Object.entries(responseOf(contract, some)).map(([each, value]) => [
        each,
        typeof value === 'string' ? value.replaceAll(tagPattern(tag), keep) : value,
      ]);
      const hints = { keep, member, isOptional, received: Object.fromEntries(received) };
      return smallerBodies(body, hints);
    },
    isValid: (body) => issueKeys(subject, body) === wrong,
    hasRoom: () => left >= steps.length,
    send: async (body) => {
      const sent: Exchange[] = [];
      const plain = renderJson(body);
      const text = keep === '' ? plain : plain.replaceAll(keep, nextTag());
      for (const [index, step] of steps.entries()) {
        const request = createRequest(
          index === 0 ? { ...step, intent: adaptIntent(step.intent, subject, body) } : step,
          contract,
          [...context, ...sent],
          (each) => (index === 0 ? text : each),
        );
        if (request === undefined) return undefined;
        const before = session.left();
        sent.push(await session.send(request));
        left -= before - session.left();
      }
      const shown = [...context, ...sent];
      const failure = findFailure(sought, shown, new Set(sent.map(({ index }) => index)));
      return failure && { exchanges: shown, failure };
    },
  };
}

/** Where and how a body breaks its schema; the same for bodies that are wrong in the same way. */
function issueKeys({ template }: Subject, body: JsonObject): string {
  return [...new Set(template.node.validate(body).map(({ at, keyword }) => `${at} ${keyword}`))]
    .toSorted()
    .join('\n');
}

/** A smaller body may refer to a record that no one has seen: then it may be refused. */
function adaptIntent(intent: Intent, { template, body: first }: Subject, body: JsonObject): Intent {
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
