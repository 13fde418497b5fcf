import { type JsonObject, codec, type JsonValue, type Webhook } from '../../contract/index.ts';
import { success } from '../operation/response/outcome.ts';
import { refuse } from '../operation/response/refusal.ts';
import type { MockWatcher } from '../served-document/served-document.ts';
import { describeMock } from './description/describe-mock.ts';
import { renderEvent } from './events/event-reader.ts';
import { type Handlers, done, json, missing, pathText } from './handler.ts';
import { readFaultRule, readFilter, readNumber, readQuotaChange, textOf } from './input.ts';
import { itemHandlers } from './item-handlers.ts';
import { presentEntry, presentExchange } from './journal/exchange.ts';
import type { JournalWait } from './journal/journal-filter.ts';
import { renderInstant } from './json/instant.ts';
import { toJson, toObject } from './json/to-json.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { stubRule, type Stub } from './stub/stub.ts';

/** What tells of the mock as a whole, and of single requests. */
const mockHandlers: Handlers = {
  describeMock: ({ control, facts }) => json(describeMock(control, facts)),
  readHealth: ({ facts }) => json({ status: 'ok', instance: facts.instance }),
  streamEvents: ({ events, facts }) => ({
    ...success(200, renderEvent('hello', JSON.stringify({ instance: facts.instance }))),
    mediaType: 'text/event-stream',
    stream: (signal) => events.open(signal),
  }),
  readExchange: ({ sandbox, input }) => {
    const index = readNumber(input.parameters.get('path index')) ?? -1;
    const found = sandbox.exchange(index);
    return found === undefined
      ? refuse('not_found', `The journal of ${sandbox.name} has no exchange ${index}.`)
      : json(presentExchange(found.entry, found.detail, sandbox));
  },
};

/** What each operation does, by its id. */
export const handlers: Handlers = {
  ...mockHandlers,
  ...itemHandlers,
  getDocument: ({ document }) => ({
    ...success(200, document.text),
    mediaType: 'application/yaml',
  }),
  listSandboxes: ({ control }) =>
    json(control.sandboxes.map((name) => presentSandbox(control.look(name)))),
  getSandbox: ({ sandbox }) => json(presentSandbox(sandbox)),
  resetSandbox: ({ control, sandbox }) => done(void control.forget(sandbox.name)),
  forkSandbox: ({ control, sandbox, body }) => {
    const other = control.sandbox(textOf(body.into) ?? '');
    sandbox.fork(other);
    return json(presentSandbox(other));
  },
  readState: ({ sandbox }) => json(sandbox.readState()),
  replaceState: ({ sandbox, body }) => {
    sandbox.replaceState(body);
    return json(sandbox.readState());
  },
  resetState: ({ sandbox }) => done(sandbox.resetState()),
  listSnapshots: ({ sandbox }) => json([...sandbox.snapshots]),
  takeSnapshot: ({ sandbox, input }) => done(sandbox.takeSnapshot(pathText(input, 'snapshot'))),
  dropSnapshot: ({ sandbox, input }) =>
    sandbox.dropSnapshot(pathText(input, 'snapshot')) ? done() : missing('snapshot', input),
  restoreSnapshot: ({ control, sandbox, input, body }) => {
    const name = pathText(input, 'snapshot');
    if (!sandbox.snapshots.includes(name)) return missing('snapshot', input);
    const into = textOf(body.into);
    const target = into === undefined ? sandbox : control.sandbox(into);
    sandbox.restoreSnapshot(name, target);
    return json(presentSandbox(target));
  },
  readClock: ({ sandbox }) => json(presentClock(sandbox)),
  setClock: ({ sandbox, body }) => {
    moveClock(sandbox, body);
    return json(presentClock(sandbox));
  },
  resetClock: ({ sandbox }) => done(sandbox.clock.restore()),
  readChoices: ({ sandbox }) => json(sandbox.choices),
  setChoices: ({ sandbox, body }) => {
    const changes = Object.entries(body).map(([id, choice]) => [id, textOf(choice) ?? null]);
    sandbox.choose(Object.fromEntries(changes));
    return json(sandbox.choices);
  },
  resetChoices: ({ sandbox }) => done(sandbox.resetChoices()),
  listFaults: ({ sandbox }) => json(toJson(sandbox.faults)),
  addFault: ({ sandbox, body }) => json(toJson(sandbox.addFault(readFaultRule(body))), 201),
  clearFaults: ({ sandbox }) => done(sandbox.clearFaults()),
  editFault: ({ sandbox, input, body }) => {
    const edited = sandbox.editFault(pathText(input, 'fault'), readFaultRule(body));
    return edited === undefined ? missing('fault', input) : json(toJson(edited));
  },
  removeFault: ({ sandbox, input }) =>
    sandbox.removeFault(pathText(input, 'fault')) ? done() : missing('fault', input),
  listStubs: ({ sandbox }) => json(presentStubs(sandbox.stubs.all)),
  addStub: ({ sandbox, body }) =>
    json(presentStub(sandbox.stubs.add(stubRule.read(body, ''))), 201),
  replaceStubs: ({ sandbox, input }) => {
    const rules = codec.list(stubRule).read(input.body ?? [], '');
    return json(presentStubs(sandbox.stubs.replace(rules)));
  },
  clearStubs: ({ sandbox }) => done(sandbox.stubs.clear()),
  editStub: ({ sandbox, input, body }) => {
    const edited = sandbox.stubs.edit(pathText(input, 'stub'), stubRule.read(body, ''));
    return edited === undefined ? missing('stub', input) : json(presentStub(edited));
  },
  removeStub: ({ sandbox, input }) =>
    sandbox.stubs.remove(pathText(input, 'stub')) ? done() : missing('stub', input),
  listQuotas: ({ sandbox }) => json(toJson(sandbox.quotas)),
  setQuota: ({ sandbox, input, body }) =>
    json(toJson(sandbox.changeQuota(pathText(input, 'plan'), readQuotaChange(body)))),
  resetQuotas: ({ sandbox }) => done(sandbox.resetQuotas()),
  readJournal: async ({ control, sandbox: { name }, input, signal, turns }) => {
    const count = Number(input.parameters.get('query count'));
    const wait = Number(input.parameters.get('query wait'));
    const read = async () => {
      const milliseconds =
        wait === 0 ? 0 : await waitForSandbox(control, name, { milliseconds: wait, signal });
      const sandbox = control.look(name);
      const entries = await sandbox.waitFor(readFilter(input), { count, milliseconds, signal });
      return { sandbox, entries };
    };
    const { sandbox, entries } = await (wait === 0 ? read() : turns.waits.take(read));
    return json({
      count: entries.length,
      next: sandbox.requests,
      exchanges: entries.map((entry) => presentEntry(entry, sandbox)),
    });
  },
  listWebhooks: ({ sandbox }) => json(sandbox.webhooks.map(presentWebhook)),
  sendWebhook: async ({ sandbox, input, body, signal, turns, webhookHosts }) => {
    const name = pathText(input, 'webhook');
    if (!sandbox.webhooks.some((webhook) => webhook.name === name))
      return missing('webhook', input);
    const order = { url: textOf(body.url), body: body.body, hosts: webhookHosts, signal };
    const delivery = await turns.deliveries.take(() => sandbox.sendWebhook(name, order));
    return json(toJson(delivery));
  },
  clearJournal: ({ sandbox }) => done(sandbox.clearJournal()),
};

function moveClock({ clock }: SandboxControl, { now, advanceSeconds, frozen }: JsonObject): void {
  const seconds = readNumber(advanceSeconds);
  const { state } = clock;
  // Frozen first: between two looks at a clock that runs a moment passes, and it would stand beside
  // the time that was asked for.
  if (frozen === true) clock.freeze();
  try {
    if (typeof now === 'string') clock.set(Date.parse(now));
    if (seconds !== undefined) clock.advance(seconds * 1000);
  } catch (error) {
    clock.restore(state);
    throw error;
  }
  if (frozen === false) clock.thaw();
}

/** What is known of the sandboxes of a mock. */
interface SandboxList {
  readonly sandboxes: readonly string[];
  watch(watcher: MockWatcher): () => void;
}

/** Waits until there is a sandbox, by its first request; resolves with the milliseconds that are left. */
async function waitForSandbox(
  list: SandboxList,
  name: string,
  { milliseconds, signal }: Pick<JournalWait, 'milliseconds' | 'signal'>,
): Promise<number> {
  if (list.sandboxes.includes(name)) return milliseconds;
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, signal?.aborted === true ? 0 : milliseconds);
  const end = (): void => resolve();
  signal?.addEventListener('abort', end, { once: true });
  const stop = list.watch({
    onEntry: ({ sandbox }) => {
      if (sandbox === name) resolve();
    },
    onReload: () => {},
  });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  stop();
  return Math.max(0, Math.round(milliseconds - (performance.now() - started)));
}

/** A sandbox in short. */
function presentSandbox(sandbox: SandboxControl): JsonValue {
  const { name, requests, clock, faults, stubs, snapshots } = sandbox;
  return {
    name,
    keys: toJson(sandbox.knownKeys),
    requests,
    ...presentClock(sandbox),
    items: sandbox.itemCounts,
    faults: faults.length,
    stubs: stubs.all.length,
    snapshots,
    frozen: clock.state.kind === 'frozen',
  };
}

/** The time of a sandbox. */
function presentClock({ clock }: SandboxControl): JsonObject {
  return { now: renderInstant(clock.now()), frozen: clock.state.kind === 'frozen' };
}

/** A webhook or callback as the document has it, its schemas by their pointers. */
function presentWebhook(webhook: Webhook): JsonValue {
  const { name, method, pointer, summary, requestBody, callback } = webhook;
  return toJson({
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
  });
}

/** A stub with its rule, its uses and what it breaks. */
function presentStub({ id, origin, applied, warnings, ...rule }: Stub): JsonObject {
  return {
    id,
    ...toObject({ origin, applied }),
    warnings: toJson(warnings),
    ...codec.jsonObject.read(stubRule.render(rule), ''),
  };
}

function presentStubs(stubs: readonly Stub[]): JsonValue {
  return stubs.map(presentStub);
}
