import * as codec from '../../../contract/json/codec.ts';
import { type OperationId, type routes, sandboxParts } from './routes.ts';
import * as schemas from './schemas.ts';

const { annotate, jsonObject, list, object, oneOf, optional, text, whole } = codec;

/** An operation of the control interface. A refusal has the schema of an error, with any status. */
interface Declaration {
  readonly summary: string;
  readonly description?: string;
  readonly query?: codec.ObjectCodec<unknown>;
  /** An optional codec for a body that may be left out. */
  readonly body?: codec.Codec<unknown>;
  /** Of a success; absent for none. */
  readonly response?: codec.Codec<unknown>;
  /** Of a success. Default: 200, or 204 without a response. */
  readonly status?: number;
  /** Media type of a response that is not JSON, or may be something else. */
  readonly otherType?: string;
}

/** Path parameters by name. */
export const pathParameters = {
  sandbox: annotate(schemas.sandboxName, {
    description:
      '`main` for the keys that the mock prints, `no-key` for requests without a valid key if one is required, else what follows the underscore of a key: `alice` of `free_alice`.',
  }),
  item: annotate(text, { description: '`id` of the stored item.' }),
  snapshot: annotate(text, { minLength: 1, maxLength: 100 }),
  fault: text,
  stub: text,
  plan: annotate(text, { description: 'A plan of the document, in any case.' }),
  index: whole(0),
  run: text,
  webhook: text,
} as const;

const inCollection = object(schemas.inCollection);

/** What each operation receives and returns. */
export const operations = {
  describeMock: {
    summary: 'Describes what is mocked and where; a browser gets the page of the mock',
    response: schemas.mock,
    otherType: 'text/html',
  },
  readHealth: {
    summary: 'Responds when the mock is ready',
    response: schemas.health,
  },
  streamEvents: {
    summary: 'Streams what happens from now on, as server-sent events',
    description: `The data of each event is JSON:
\`hello\`: \`{instance}\`, the first event;
\`exchanges\`: an array of Exchange, the requests of the last moments, oldest first;
\`dropped\`: \`{count}\`, exchanges that a slow reader misses, which are still in the journals;
\`change\`: \`{sandbox, parts}\` after a call of this interface, with any of ${sandboxParts.join(', ')} in \`parts\`;
\`reload\`: \`{source}\`, when another document is served;
\`run\`: a Run, whenever it makes progress.`,
    otherType: 'text/event-stream',
  },
  getDocument: {
    summary: 'Returns this document',
    otherType: 'application/yaml',
  },
  listSandboxes: {
    summary: 'Lists all sandboxes, main first, then the least recently used',
    response: list(schemas.sandbox),
  },
  getSandbox: {
    summary:
      'Returns a sandbox as it is, or as its first request will create it; does not create it',
    response: schemas.sandbox,
  },
  resetSandbox: { summary: 'Resets everything in a sandbox' },
  forkSandbox: {
    summary: 'Makes another sandbox a copy of this one',
    body: schemas.fork,
    response: schemas.sandbox,
  },
  readState: { summary: 'Returns all items by collection path', response: schemas.state },
  replaceState: {
    summary: 'Replaces all items',
    body: schemas.state,
    response: schemas.state,
  },
  resetState: { summary: 'Restores the items of the seed' },
  listCollections: {
    summary: 'Lists the collections of the document, nested ones within existing items',
    response: list(schemas.collection),
  },
  listItems: {
    summary: 'Lists items of a collection, in its order',
    query: schemas.itemQuery,
    response: schemas.itemPage,
  },
  addItem: {
    summary: 'Adds an item, without a request to the service',
    query: inCollection,
    body: jsonObject,
    response: schemas.storedItem,
    status: 201,
  },
  replaceItem: {
    summary: 'Replaces an item',
    query: inCollection,
    body: jsonObject,
    response: schemas.storedItem,
  },
  removeItem: { summary: 'Removes an item', query: inCollection },
  listSnapshots: {
    summary: 'Lists the names of the snapshots, oldest first',
    response: list(text),
  },
  takeSnapshot: {
    summary: 'Saves items, clock, choices, limits, counts, faults and stubs under a name',
  },
  dropSnapshot: { summary: 'Removes a snapshot' },
  restoreSnapshot: {
    summary: 'Restores a snapshot, in this sandbox or another',
    body: optional(schemas.restore),
    response: schemas.sandbox,
  },
  readClock: { summary: 'Returns the time of a sandbox', response: schemas.clock },
  setClock: {
    summary: 'Sets the time, advances it, and stops or continues it, in that order',
    body: schemas.clockChange,
    response: schemas.clock,
  },
  resetClock: { summary: 'Returns to the time of the machine' },
  readChoices: {
    summary: 'Returns the choice for every open question of the document',
    response: schemas.choices,
  },
  setChoices: {
    summary: 'Makes other choices; null for that of the mock',
    body: schemas.choiceChange,
    response: schemas.choices,
  },
  resetChoices: {
    summary: 'Returns to the choices of the mock',
  },
  listFaults: {
    summary: 'Lists the faults, used-up ones included',
    response: list(schemas.fault),
  },
  addFault: {
    summary: 'Adds a fault; if several match a request, only the first applies',
    body: schemas.faultRule,
    response: schemas.fault,
    status: 201,
  },
  clearFaults: { summary: 'Removes all faults' },
  editFault: {
    summary: 'Gives a fault another rule; its place and its number of uses stay',
    body: schemas.faultRule,
    response: schemas.fault,
  },
  removeFault: { summary: 'Removes a fault' },
  listStubs: {
    summary: 'Lists the stubs in the order in which they are tried, used-up ones included',
    response: list(schemas.stub),
  },
  addStub: {
    summary: 'Adds a stub, which is tried before the existing ones; returns its warnings',
    body: schemas.stubRule,
    response: schemas.stub,
    status: 201,
  },
  replaceStubs: {
    summary: 'Replaces all stubs; the first one is tried first',
    body: list(schemas.stubRule, 1000),
    response: list(schemas.stub),
  },
  clearStubs: { summary: 'Removes all stubs, including those of the file' },
  editStub: {
    summary: 'Gives a stub another rule; its place and its number of uses stay',
    description:
      'A stub of the file gets its rule in the file again when the file changes or the sandbox is reset.',
    body: schemas.stubRule,
    response: schemas.stub,
  },
  removeStub: { summary: 'Removes a stub' },
  listQuotas: {
    summary: 'Returns limits and counts of the key of each plan',
    response: list(schemas.quota),
  },
  resetQuotas: {
    summary: 'Returns to the limits of the mock, without counts',
  },
  setQuota: {
    summary: "Changes limits and counts of a plan's keys, and bans them",
    body: schemas.quotaChange,
    response: schemas.quota,
  },
  readJournal: {
    summary: 'Returns the last requests that match, oldest first; can wait for them',
    query: schemas.journalQuery,
    response: schemas.journalPage,
  },
  clearJournal: { summary: 'Removes all requests from the journal' },
  readExchange: {
    summary: 'Returns a request and its response with headers and bodies, without keys',
    response: schemas.exchangeDetail,
  },
  planRun: {
    summary: 'Returns what a conformance run would send, and how long it would take',
    body: schemas.runOrder,
    response: schemas.runPlan,
  },
  listRuns: {
    summary: 'Lists the last 20 runs and opened reports, the newest first',
    response: list(schemas.run),
  },
  startRun: {
    summary: 'Starts a conformance run against this mock or a base URL; one at a time',
    body: schemas.runOrder,
    response: schemas.run,
    status: 201,
  },
  readRun: { summary: 'Returns the progress or the result of a run', response: schemas.run },
  dropRun: { summary: 'Stops a run, and removes it and its report' },
  readReport: {
    summary: 'Returns the report of a run as petstore conform writes it; it contains no key',
    description:
      'HTML if `Accept` prefers it. It contains what the target sent: its Content-Security-Policy gives it no origin, no network, and only pages of the mock as frames.',
    query: object({
      format: optional(
        annotate(oneOf(['json', 'html']), {
          description: 'For links, which cannot set `Accept`; overrules it.',
        }),
      ),
    }),
    response: jsonObject,
    otherType: 'text/html',
  },
  openReport: {
    summary: 'Opens a report.json of at most 32 MiB; it is listed among the runs',
    body: jsonObject,
    response: schemas.run,
    status: 201,
  },
  compareRuns: {
    summary: 'Lists the differences between two runs',
    query: object({ one: annotate(text, { description: 'Id of a run.' }), other: text }),
    response: schemas.comparison,
  },
  listWebhooks: {
    summary: 'Lists the webhooks of the document and the callbacks of its operations, in its order',
    response: list(schemas.webhook),
  },
  sendWebhook: {
    summary: 'Sends a webhook or a callback, and returns the response of its receiver',
    description: 'A receiver that does not respond within 10 seconds is a 502.',
    query: object({
      sandbox: optional(
        annotate(schemas.sandboxName, {
          description: 'Whose journal has the address of a callback.',
          default: 'main',
        }),
      ),
    }),
    body: optional(schemas.webhookOrder),
    response: schemas.delivery,
  },
} as const satisfies Record<OperationId, Declaration>;

type Operations = typeof operations;
type PathNames<Route> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type MemberOf<Id extends OperationId, Name extends string> =
  Operations[Id] extends Readonly<Record<Name, infer C extends codec.Codec<unknown>>>
    ? C
    : undefined;

/** Path parameters of an operation by name. */
export type PathOf<Id extends OperationId> = {
  readonly [Name in PathNames<(typeof routes)[Id]> & keyof typeof pathParameters]: codec.TypeOf<
    (typeof pathParameters)[Name]
  >;
};

/** Query parameters of an operation by name. */
export type QueryOf<Id extends OperationId> =
  MemberOf<Id, 'query'> extends codec.Codec<infer Query> ? Query : unknown;

/** The body of a request; undefined if it has none, or may be left out. */
export type BodyOf<Id extends OperationId> =
  MemberOf<Id, 'body'> extends codec.OptionalCodec<infer Body>
    ? Body | undefined
    : MemberOf<Id, 'body'> extends codec.Codec<infer Body>
      ? Body
      : undefined;

/** The JSON of a success, or its text; null for none. */
export type ControlResponse<Id extends OperationId> =
  MemberOf<Id, 'response'> extends codec.Codec<infer Value>
    ? Value
    : Operations[Id] extends { readonly otherType: string }
      ? string
      : null;

/** Path and query parameters of an operation by name, and the `body` if it has one. */
export type ControlArguments<Id extends OperationId> = PathOf<Id> &
  QueryOf<Id> &
  (undefined extends BodyOf<Id>
    ? Operations[Id] extends { readonly body: unknown }
      ? { readonly body?: BodyOf<Id> }
      : unknown
    : { readonly body: BodyOf<Id> });

/** An operation as it is declared. */
export function declarationOf(id: OperationId): Declaration {
  return operations[id];
}
