import type { JsonObject } from '../../contract/json/value.ts';
import type { Webhook } from '../../contract/openapi/operation.ts';
import type { StreamedResponse } from '../http/message.ts';
import { qualityOf, renderInstant } from '../http/field.ts';
import type { ItemCollection } from '../items/control/item-collections.ts';
import { type Success, success } from '../operation/response/outcome.ts';
import { type Refusal, isRefusal, refuse } from '../operation/response/refusal.ts';
import type { Control } from './control.ts';
import { type MockFacts, describeMock } from './description/describe-mock.ts';
import { type EventHub, renderEvent } from './events.ts';
import { presentEntry, presentExchange } from './journal/exchange.ts';
import type { BodyOf, ControlResponse, PathOf, QueryOf } from './declaration/operations.ts';
import type { OperationId } from './declaration/routes.ts';
import type { SandboxControl } from './sandbox-control.ts';
import type * as schemas from './declaration/schemas.ts';

/**
 * Conformance runs of the control interface. The mock itself does not contain the suite: whoever starts
 * it may pass this in. Requests that cannot be done return a refusal; nothing throws. No result contains
 * a key.
 */
export interface ConformanceRuns {
  plan(order: schemas.RunOrder): Promise<schemas.RunPlan | Refusal>;
  /** The newest first, at most 20. */
  list(): readonly schemas.Run[];
  /** Resolves once it has started. Only one runs at a time. */
  start(order: schemas.RunOrder): Promise<schemas.Run | Refusal>;
  read(id: string): schemas.Run | Refusal;
  /** Stops and removes it. Undefined: it is removed. */
  drop(id: string): Refusal | undefined;
  /** The text of its report. */
  report(id: string, format: ReportFormat): string | Refusal;
  /** Adds the report of a file to the runs. */
  open(file: JsonObject): schemas.Run | Refusal;
  compare(one: string, other: string): schemas.Comparison | Refusal;
}

/** Loads the suite for the first run. `onRun` is called whenever a run makes progress. */
export type OpenConformance = (onRun: (run: schemas.Run) => void) => Promise<ConformanceRuns>;

export type ReportFormat = 'json' | 'html';

/** What all requests to the control interface have in common. */
export interface ControlContext {
  readonly control: Control;
  readonly facts: MockFacts;
  /** The text of the interface's document. */
  readonly document: () => Promise<string>;
  /** Hosts that webhooks may be sent to, besides this machine. */
  readonly webhookHosts: readonly string[];
  readonly events: EventHub;
  /** Undefined if the mock cannot run the suite. */
  readonly runs: (() => Promise<ConformanceRuns>) | undefined;
  /** Aborted when the response is no longer wanted. */
  readonly signal: AbortSignal;
}

/** A valid request to an operation. */
export interface ControlRequest<Id extends OperationId> extends ControlContext {
  /** The sandbox that the request names, by default `main`. */
  readonly sandbox: SandboxControl;
  readonly path: PathOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly accept: string | undefined;
}

/** A response that is not JSON by the operation's schema. */
export interface Sent extends Success, Pick<StreamedResponse, 'stream'> {
  /** Content-Security-Policy in place of the usual one. */
  readonly policy?: string;
}

type Result<Id extends OperationId> =
  | Refusal
  | Sent
  | (ControlResponse<Id> extends null ? void : ControlResponse<Id>);

/** What each operation does. */
export type Handlers = {
  readonly [Id in OperationId]: (request: ControlRequest<Id>) => Result<Id> | Promise<Result<Id>>;
};

export const handlers: Handlers = {
  describeMock: ({ control, facts }) => describeMock(control, facts),
  readHealth: ({ facts: { instance } }) => ({ status: 'ok', instance }),
  streamEvents: ({ events, facts: { instance } }) => ({
    ...success(200, renderEvent('hello', JSON.stringify({ instance }))),
    mediaType: 'text/event-stream',
    stream: (signal) => events.open(signal),
  }),
  getDocument: async ({ document }) => ({
    ...success(200, await document()),
    mediaType: 'application/yaml',
  }),

  listSandboxes: ({ control }) =>
    control.sandboxes.map((name) => presentSandbox(control.look(name))),
  getSandbox: ({ sandbox }) => presentSandbox(sandbox),
  resetSandbox: ({ control, sandbox }) => void control.forget(sandbox.name),
  forkSandbox: ({ control, sandbox, body }) => {
    const other = control.sandbox(body.into);
    sandbox.fork(other);
    return presentSandbox(other);
  },

  readState: ({ sandbox }) => sandbox.readState(),
  replaceState: ({ sandbox, body }) => {
    sandbox.replaceState(body);
    return sandbox.readState();
  },
  resetState: ({ sandbox }) => sandbox.resetState(),
  listCollections: ({ sandbox }) => sandbox.collections.map((one) => one.describe()),
  listItems: ({ sandbox, query }) =>
    inCollection(sandbox, query, (collection) => collection.list(query)),
  addItem: ({ sandbox, query, body }) =>
    inCollection(sandbox, query, (collection) => {
      sandbox.admit();
      return collection.add(body);
    }),
  replaceItem: ({ sandbox, path: { item }, query, body }) =>
    inCollection(sandbox, query, (collection) => {
      sandbox.admit();
      return collection.replace(item, body) ?? missing('item', item);
    }),
  removeItem: ({ sandbox, path: { item }, query }) =>
    inCollection(sandbox, query, (collection) => found(collection.remove(item), 'item', item)),

  listSnapshots: ({ sandbox }) => sandbox.snapshots,
  takeSnapshot: ({ sandbox, path }) => sandbox.takeSnapshot(path.snapshot),
  dropSnapshot: ({ sandbox, path: { snapshot } }) =>
    found(sandbox.dropSnapshot(snapshot), 'snapshot', snapshot),
  restoreSnapshot: ({ control, sandbox, path: { snapshot }, body }) => {
    if (!sandbox.snapshots.includes(snapshot)) return missing('snapshot', snapshot);
    const target = body?.into === undefined ? sandbox : control.sandbox(body.into);
    sandbox.restoreSnapshot(snapshot, target);
    return presentSandbox(target);
  },

  readClock: ({ sandbox }) => presentClock(sandbox),
  setClock: ({ sandbox, body }) => {
    moveClock(sandbox, body);
    return presentClock(sandbox);
  },
  resetClock: ({ sandbox }) => sandbox.clock.restore(),
  readChoices: ({ sandbox }) => sandbox.choices,
  setChoices: ({ sandbox, body }) => {
    sandbox.choose(body);
    return sandbox.choices;
  },
  resetChoices: ({ sandbox }) => sandbox.resetChoices(),
  listQuotas: ({ sandbox }) => sandbox.quotas,
  setQuota: ({ sandbox, path, body }) => sandbox.changeQuota(path.plan, body),
  resetQuotas: ({ sandbox }) => sandbox.resetQuotas(),

  listFaults: ({ sandbox }) => sandbox.faults.all,
  addFault: ({ sandbox, body }) => sandbox.faults.add(body),
  clearFaults: ({ sandbox }) => sandbox.faults.clear(),
  editFault: ({ sandbox, path: { fault }, body }) =>
    sandbox.faults.edit(fault, body) ?? missing('fault', fault),
  removeFault: ({ sandbox, path: { fault } }) =>
    found(sandbox.faults.remove(fault), 'fault', fault),
  listStubs: ({ sandbox }) => sandbox.stubs.all,
  addStub: ({ sandbox, body }) => sandbox.stubs.add(body),
  replaceStubs: ({ sandbox, body }) => sandbox.stubs.replace(body),
  clearStubs: ({ sandbox }) => sandbox.stubs.clear(),
  editStub: ({ sandbox, path: { stub }, body }) =>
    sandbox.stubs.edit(stub, body) ?? missing('stub', stub),
  removeStub: ({ sandbox, path: { stub } }) => found(sandbox.stubs.remove(stub), 'stub', stub),

  readJournal: async ({ control, sandbox, query, signal }) => {
    const { count = 1, wait: milliseconds = 0, ...filter } = query;
    const entries = await sandbox.waitFor(filter, { count, milliseconds, signal });
    // The first request may have created it.
    const now = control.look(sandbox.name);
    return {
      count: entries.length,
      next: now.requests,
      exchanges: entries.map((entry) => presentEntry(entry, now)),
    };
  },
  clearJournal: ({ sandbox }) => sandbox.clearJournal(),
  readExchange: ({ sandbox, path: { index } }) => {
    const exchange = sandbox.exchange(index);
    return exchange === undefined
      ? refuse('not_found', `The journal of ${sandbox.name} has no exchange ${index}.`)
      : presentExchange(exchange.entry, exchange.detail, sandbox);
  },

  planRun: (request) => withRuns(request, (runs) => runs.plan(request.body)),
  listRuns: (request) => withRuns(request, (runs) => runs.list()),
  startRun: (request) => withRuns(request, (runs) => runs.start(request.body)),
  readRun: (request) => withRuns(request, (runs) => runs.read(request.path.run)),
  dropRun: (request) => withRuns(request, (runs) => runs.drop(request.path.run)),
  readReport: (request) => withRuns(request, (runs) => readReport(runs, request)),
  openReport: (request) => withRuns(request, (runs) => runs.open(request.body)),
  compareRuns: (request) =>
    withRuns(request, (runs) => runs.compare(request.query.one, request.query.other)),

  listWebhooks: ({ sandbox }) => sandbox.webhooks.map(presentWebhook),
  sendWebhook: async ({ sandbox, path, body = {}, signal, webhookHosts }) => {
    const name = path.webhook;
    if (!sandbox.webhooks.some((webhook) => webhook.name === name)) return missing('webhook', name);
    return await sandbox.sendWebhook(name, { ...body, hosts: webhookHosts, signal });
  },
};

function missing(kind: string, name: string): Refusal {
  return refuse('not_found', `There is no ${kind} "${name}".`);
}

function found(isFound: boolean, kind: string, name: string): Refusal | undefined {
  return isFound ? undefined : missing(kind, name);
}

/** Collections that a refusal lists. */
const maxNamed = 10;

function inCollection<Value>(
  sandbox: SandboxControl,
  { collection: path }: Pick<schemas.ItemQuery, 'collection'>,
  act: (collection: ItemCollection) => Value,
): Value | Refusal {
  const collection = sandbox.collection(path);
  if (collection !== undefined) return act(collection);
  const known = sandbox.collections.map((one) => one.path).slice(0, maxNamed);
  const there = known.length === 0 ? 'the document has none' : `known: ${known.join(', ')}`;
  return refuse('not_found', `There is no collection "${path}"; ${there}.`);
}

function moveClock(
  { clock }: SandboxControl,
  { now, advanceSeconds = 0, frozen }: schemas.ClockChange,
): void {
  const from = now === undefined ? clock.now() : Date.parse(now);
  const instant = from + advanceSeconds * 1000;
  if (now !== undefined || instant !== from) clock.set(instant);
  // Not by `freeze`: a running clock moves on between two readings.
  if (frozen === true) clock.restore({ kind: 'frozen', at: instant });
  if (frozen === false) clock.thaw();
}

async function withRuns<Value>(
  { runs }: ControlContext,
  act: (runs: ConformanceRuns) => Value | Promise<Value>,
): Promise<Value | Refusal> {
  if (runs !== undefined) return await act(await runs());
  return refuse(
    'not_found',
    'This mock cannot run the suite: it was started without it. Start one with npx petstore-contract mock.',
  );
}

/** What the target sent is in the report: it has no origin and no network. */
const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";

function readReport(
  runs: ConformanceRuns,
  { path, query, accept = '*/*' }: ControlRequest<'readReport'>,
): Refusal | Sent {
  const prefersHtml = qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json');
  const format = query.format ?? (prefersHtml ? 'html' : 'json');
  const text = runs.report(path.run, format);
  if (isRefusal(text)) return text;
  const mediaType = format === 'json' ? 'application/json' : 'text/html; charset=utf-8';
  return { ...success(200, text), mediaType, policy: reportPolicy };
}

function presentSandbox(sandbox: SandboxControl): schemas.Sandbox {
  const { name, knownKeys, requests, itemCounts, faults, stubs, snapshots } = sandbox;
  return {
    name,
    keys: knownKeys,
    requests,
    ...presentClock(sandbox),
    items: itemCounts,
    faults: faults.count,
    stubs: stubs.count,
    snapshots,
  };
}

function presentClock({ clock }: SandboxControl): schemas.Clock {
  return { now: renderInstant(clock.now()), frozen: clock.state.kind === 'frozen' };
}

function presentWebhook(webhook: Webhook): schemas.Webhook {
  const { name, method, pointer, summary, requestBody, callback } = webhook;
  return {
    name,
    kind: callback === undefined ? 'webhook' : 'callback',
    method,
    ...callback,
    summary: summary === '' ? undefined : summary,
    pointer,
    content: (requestBody?.content ?? []).map((content) => ({
      mediaType: content.name,
      schema: content.schema?.pointer,
    })),
  };
}
