import { tellCount } from '../conformance/index.ts';
import type { Contract } from '../contract/contract.ts';
import { withoutMember } from '../contract/json/place.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../contract/json/value.ts';
import type { Resource } from '../contract/resource/resource.ts';
import type { SchemaNode } from '../contract/schema/schema-node.ts';
import type { FaultRule } from '../mock/index.ts';

/**
 * A scenario for a client: the state of the service, and what happens while the client works. Plain
 * data; the rules judge what the client sends.
 */
export interface Scenario {
  /** Kebab-case and stable, because it is in logs, reports and the environment of the client. */
  readonly id: string;
  readonly sentence: string;
  readonly start: Step;
  /** What happens just before a request is answered, by the number of the request, from 1. */
  readonly steps: ReadonlyMap<number, Step>;
  /** Changes the JSON body of a response before it is sent. */
  readonly alter: ((body: JsonValue) => JsonValue) | undefined;
  /** Whether a correct client ends with exit code 0. */
  readonly mustSucceed: boolean;
}

/** A change of the service. Members that are left out stay as they are. */
export interface Step {
  /** The items of each collection, made from the existing ones. */
  readonly items?: (items: readonly JsonObject[], resource: Resource) => readonly JsonObject[];
  /** Choices, by the kind of the open question. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly faults?: readonly FaultRule[];
  /** Requests left in the shortest window, and when it ends: at the latest after its length. */
  readonly quota?: { readonly left: number; readonly seconds: number };
  /** Bans the key for this long. */
  readonly banSeconds?: number;
  /** Sets the time, in milliseconds since 1970. */
  readonly now?: number;
}

/** The unusual parts of a scenario. */
type Draft = Pick<Scenario, 'id' | 'sentence'> & Partial<Scenario>;

const usual: Omit<Scenario, 'id' | 'sentence'> = {
  start: {},
  steps: new Map(),
  alter: undefined,
  mustSucceed: true,
};

/** All scenarios that are possible with a contract, in a fixed order. */
export function listScenarios(contract: Contract): readonly Scenario[] {
  const drafts = [listFailures, listLimits, listResponses, listInventories, listSunsets];
  return drafts.flatMap((list) => [...list(contract)]).map((draft) => ({ ...usual, ...draft }));
}

/** Normal operation, and failures of the service and the network. */
function* listFailures({ resources }: Contract): Generator<Draft> {
  const creations = resources.flatMap(({ create }) => create ?? []);
  const [create] = creations;
  const refusing = creations.find(({ responses }) =>
    responses.some(({ status }) => status === '400'),
  );
  const slow = { delay: { from: 2000, to: 2000 } };
  yield { id: 'plain', sentence: 'Nothing out of the ordinary happens.' };
  yield {
    id: 'revoked-key',
    sentence: 'The key stops being valid after the first request: every further one gets a 401.',
    steps: new Map([[2, { faults: [{ status: 401 }] }]]),
    mustSucceed: false,
  };
  // A service may know more than the document says, such as which categories exist.
  if (refusing !== undefined)
    yield {
      id: 'refused-body',
      sentence: 'Every body gets a 400, even a valid one.',
      start: { faults: [{ operation: refusing.id, status: 400 }] },
      mustSucceed: false,
    };
  yield {
    id: 'slow-response',
    sentence: 'The first response takes two seconds.',
    start: { faults: [{ ...slow, count: 1 }] },
    mustSucceed: false,
  };
  if (create !== undefined)
    yield {
      id: 'slow-addition',
      sentence: 'The first three items are added, but each response takes two seconds.',
      start: { faults: [{ ...slow, operation: create.id, count: 3 }] },
      mustSucceed: false,
    };
  yield {
    id: 'reset-connection',
    sentence: 'The connection of the first request is reset instead of a response.',
    start: { faults: [{ connection: 'reset', count: 1 }] },
    mustSucceed: false,
  };
  if (create !== undefined)
    yield {
      id: 'lost-response',
      sentence:
        'The first three items are added, but the connection is reset instead of each response.',
      start: { faults: [{ operation: create.id, connection: 'reset', count: 3 }] },
      mustSucceed: false,
    };
}

/**
 * A window that other clients with the same key have used up, so that no header could have warned
 * this client. It ends slightly before `Retry-After` says, so that a client that waits exactly that
 * long is let in.
 */
function spentFor(seconds: number): Step {
  return { quota: { left: 0, seconds: seconds - 0.05 } };
}

/**
 * Waits are one to three seconds, because `Retry-After` has no smaller unit. A client may give up.
 */
function* listLimits({ rateLimit, openQuestions }: Contract): Generator<Draft> {
  // Without plans there is no limit.
  if (rateLimit === undefined || rateLimit.plans.length === 0) return;
  const mustSucceed = false;
  const formats = openQuestions.filter(({ kind }) => kind === 'retry-after-format');
  const isFormat = (format: string): boolean =>
    formats.every(({ choices }) => choices.some(({ id }) => id === format));
  if (isFormat('seconds'))
    yield {
      id: 'retry-after-seconds',
      sentence: 'The first request gets a 429, with Retry-After in seconds.',
      start: { choices: { 'retry-after-format': 'seconds' } },
      steps: new Map([[1, spentFor(3)]]),
      mustSucceed,
    };
  if (formats.length > 0 && isFormat('http-date'))
    yield {
      id: 'retry-after-date',
      sentence: 'The first request gets a 429, with Retry-After as a date.',
      start: { choices: { 'retry-after-format': 'http-date' } },
      steps: new Map([[1, spentFor(2)]]),
      mustSucceed,
    };
  yield {
    id: 'repeated-429',
    sentence: 'The first three requests get a 429 each, though the client waits in between.',
    steps: new Map([1, 2, 3].map((request) => [request, spentFor(1)])),
    mustSucceed,
  };
  if (rateLimit.bans)
    yield {
      id: 'banned-key',
      sentence: 'The key is banned for two seconds at the first request, which gets a 429.',
      steps: new Map([[1, { banSeconds: 1.95 }]]),
      mustSucceed,
    };
  yield {
    id: 'nothing-remaining',
    sentence:
      'The first response says that no requests remain. The limit resets within three seconds.',
    steps: new Map([[1, { quota: { left: 1, seconds: 2 } }]]),
    mustSucceed,
  };
}

/** One field of each JSON type, so that a client that maps fields one by one meets them all. */
const added: JsonObject = { 'x-added': 'a text', 'x-nested': { added: [1, null, true] } };

/** Unusual responses that a client must be able to read. */
function* listResponses({ resources }: Contract): Generator<Draft> {
  const addFields = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(addFields);
    return isJsonObject(value) ? { ...value, ...added } : value;
  };
  yield {
    id: 'unknown-fields',
    sentence: 'Every object in every response has additional fields, which the document allows.',
    alter: addFields,
  };
  const [name] = resources.flatMap(({ item }) =>
    [...item.shape().properties].flatMap(([each, schema]) =>
      schema.shape().values?.every((value) => typeof value === 'string') ? [each] : [],
    ),
  );
  if (name === undefined) return;
  const replace = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(replace);
    return isJsonObject(value) && typeof value[name] === 'string'
      ? { ...value, [name]: 'reserved-by-somebody' }
      : value;
  };
  // An unlisted value breaks the contract, but services add values over time.
  yield {
    id: 'unknown-value',
    sentence: `Every ${name} in a response is one that the document does not list. This breaks the contract.`,
    alter: replace,
    mustSucceed: false,
  };
}

/** Unusual inventories. */
function* listInventories(contract: Contract): Generator<Draft> {
  const resources = contract.resources.filter(({ parents }) => parents.length === 0);
  const large = resources.find(({ item }) => largeMembers(item).length > 0);
  if (large !== undefined)
    yield {
      id: 'large-ids',
      sentence: 'Items have 64-bit integers beyond 2^53, where a double is not exact.',
      start: {
        items: (items, { item }) =>
          items.slice(0, 10).map((each, index) => enlarge(each, item, BigInt(index))),
      },
    };
  const [resource] = resources;
  if (resource === undefined) return;
  yield {
    id: 'empty-pages',
    sentence: 'There are no items: lists are empty.',
    start: { items: () => [] },
  };
  yield {
    id: 'full-pages',
    sentence: `There are more items than a list can hold, but at most ${tellCount(maxItems)}: lists are as long as possible.`,
    start: { items: fill },
  };
}

/** 2^53 + 1: the first integer that a double cannot hold (RFC 8259 section 6). */
const firstUnheld = 9007199254740993n;

function largeMembers(item: SchemaNode): readonly string[] {
  return [...item.shape().properties].flatMap(([name, schema]) =>
    schema.shape().format === 'int64' && schema.isValid(firstUnheld) ? [name] : [],
  );
}

/** Odd numbers, which a double rounds to even ones; a different one for each member that may have it. */
function enlarge(value: JsonObject, item: SchemaNode, index: bigint): JsonObject {
  const members = largeMembers(item).filter((name) => value[name] !== undefined);
  return members.reduce((held, name, place) => {
    const number = firstUnheld + 2n * (index * BigInt(members.length) + BigInt(place));
    const larger = { ...held, [name]: number };
    return item.isValid(larger) ? larger : held;
  }, value);
}

/** Most items of a collection, to bound time and memory. */
const maxItems = 1500;

/** 1.5 times as many items as the longest list. The service assigns the ids. */
function fill(items: readonly JsonObject[], { idPlace, limit }: Resource): readonly JsonObject[] {
  const length = Math.min(Math.ceil((limit?.maximum ?? 100) * 1.5), maxItems);
  const bare = items.map((item) => withoutMember(item, idPlace));
  return Array.from(
    { length: bare.length === 0 ? 0 : length },
    (_, index) => bare[index % bare.length] ?? {},
  );
}

/** The time just before and after the removal of deprecated operations. */
function* listSunsets({ operations }: Contract): Generator<Draft> {
  const last = operations
    .flatMap(({ deprecation }) => deprecation?.sunset ?? [])
    .toSorted()
    .at(-1);
  if (last === undefined) return;
  const [before = 0, after = 0] = [-1, 1].map((days) => Date.parse(last) + days * 86_400_000);
  // The clock of the mock shows the years from 1970 to 9999.
  if (before >= 0)
    yield {
      id: 'before-sunset',
      sentence: `The clock of the service is set to a day before ${last}, when a deprecated operation is removed.`,
      start: { now: before },
    };
  if (after >= 0 && after < Date.UTC(10_000, 0))
    yield {
      id: 'after-sunset',
      sentence: `The clock of the service is set to a day after ${last}: deprecated operations are removed.`,
      start: { now: after },
    };
}
