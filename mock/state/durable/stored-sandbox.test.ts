import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../contract/contract.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import { PetstoreError } from '../../../contract/error/petstore-error.ts';
import { loadContract } from '../../../contract/load.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import { SandboxControl } from '../../control/sandbox-control.ts';
import type { MockRequest, MockResponse } from '../../http/message.ts';
import { fixtureFile } from '../../../test/contract/sample.ts';
import { keysIn } from '../../sandbox/keyring.ts';
import { loadBooks, loadInventory, loadPetstore } from '../../../test/mock/contracts.ts';
import { createTestClock } from '../../../test/mock/test-client.ts';
import type { Clock } from '../../sandbox/clock.ts';
import { answerRequest } from '../../sandbox/pipeline.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { MockOptions } from '../../served-document/options.ts';
import { MockRuntime } from '../../served-document/served-document.ts';
import { StoredSandbox } from './stored-sandbox.ts';

/** Two mocks of which the second learns by stored parts alone what happens in the first. */
interface Replicas {
  /** Answers in the first; with `twice` it is undone once and answered again. */
  request(request: MockRequest, twice?: boolean): MockResponse;
  /** Acts on a sandbox of the first. */
  control(act: (sandbox: SandboxControl) => void): void;
  /** The sandbox as a whole, in the first and in the second. */
  wholes(): { readonly first: string; readonly second: string };
  /** The second answers too, which is undone. */
  ask(request: MockRequest): MockResponse;
  /** From now on the second is one that was loaded as a whole. */
  reload(): void;
}

/** One of the two, and what it knows to be stored. */
class Replica {
  readonly runtime: MockRuntime;
  readonly #name: string;
  readonly stored: StoredSandbox;

  constructor(runtime: MockRuntime, name: string) {
    this.runtime = runtime;
    this.#name = name;
    this.stored = new StoredSandbox(runtime, this.sandbox);
    this.stored.restore(true);
  }

  get sandbox(): Sandbox {
    return this.runtime.sandboxes.open(this.#name);
  }

  /** All parts but the time, which counts only with others. */
  get whole(): string {
    const parts = new StoredSandbox(this.runtime, this.sandbox).compare();
    const lines = [...parts]
      .filter(([name]) => name !== '["time"]')
      .map(([name, text]) => `${name} ${text}`);
    return lines.toSorted().join('\n');
  }

  undo(): void {
    this.stored.restore(false);
  }
}

/** All requests are to be for one sandbox. */
function createReplicas(
  contract: Contract,
  options: MockOptions & { readonly clock: Clock },
  name: string,
): Replicas {
  const open = (): Replica => new Replica(new MockRuntime(contract, options, options.clock), name);
  const first = open();
  let second = open();
  const everything = new Map<string, string>();
  const replicate = (act: () => void): void => {
    try {
      act();
    } finally {
      const parts = first.stored.compare();
      if (parts.size > 0) first.stored.commit('1');
      for (const [part, text] of parts)
        if (text === undefined) everything.delete(part);
        else everything.set(part, text);
      second.stored.put(parts, false);
      second.undo();
    }
  };
  return {
    request(request, twice = false) {
      if (twice) {
        const before = first.whole;
        answerRequest(first.runtime.pipeline, request);
        answerRequest(first.runtime.pipeline, request);
        first.undo();
        if (first.whole !== before) throw new Error(`not undone: ${before}\n${first.whole}`);
      }
      const responses: MockResponse[] = [];
      replicate(() => void responses.push(answerRequest(first.runtime.pipeline, request)));
      const [response] = responses;
      if (response === undefined) throw new Error('There is no response.');
      return response;
    },
    control: (act) =>
      replicate(() => act(new SandboxControl(first.runtime, first.sandbox, () => () => {}))),
    wholes: () => ({ first: first.whole, second: second.whole }),
    ask(request) {
      const response = answerRequest(second.runtime.pipeline, request);
      second.undo();
      return response;
    },
    reload() {
      second = open();
      second.stored.put(everything, true);
      second.stored.restore(true);
    },
  };
}

let petstore: Contract;
let books: Contract;
let seed: JsonObject;
beforeAll(async () => {
  [petstore, books, seed] = await Promise.all([loadPetstore(), loadBooks(), loadInventory()]);
});

/** Without credentials in the document all requests are for the one that everybody shares. */
const nameIn = ({ operations }: Contract): string =>
  operations.some(({ security }) => security.flat().length > 0) ? 'alice' : 'main';

/** Requests of all operations, right and wrong, with the keys of one sandbox. */
function requestsOf(contract: Contract): fc.Arbitrary<MockRequest> {
  const keys = keysIn(contract, nameIn(contract)).map(({ key }) => key);
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  return fc
    .record({
      operation: fc.constantFrom(...contract.operations),
      key: fc.constantFrom(...keys),
      id: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }).map(String) },
        fc.constantFrom(
          '31',
          '9007199254740993',
          'note_ab12cd',
          'a-b',
          '%F0%9F%92%A9',
          '__proto__',
        ),
      ),
      query: fc.constantFrom('', '?limit=3', '?limit=x', '?page=2', '?status=sold', '?cursor=MC4w'),
      prefer: fc.constantFrom(undefined, undefined, undefined, 'code=404', 'wait=1'),
      sample: fc.integer({ min: 0, max: 20 }),
      body: fc.constantFrom('sample', 'sample', 'sample', 'none', 'broken', 'text'),
      method: fc.option(fc.constantFrom(...methods), { freq: 10, nil: undefined }),
    })
    .map(({ operation, key, id, query, prefer, sample, body, method = operation.method }) => {
      const content = method === 'GET' ? undefined : bodyOf(operation, body, sample);
      return {
        method,
        target: contract.basePath + operation.path.replaceAll(/\{[^{}]*\}/g, id) + query,
        headers: {
          host: 'localhost',
          ...authorization(contract, key),
          ...(prefer === undefined ? {} : { prefer }),
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        },
        content,
      };
    });
}

function authorization({ operations }: Contract, key: string): Record<string, string> {
  const scheme = operations.flatMap(({ security }) => security.flat())[0];
  return scheme?.kind === 'api-key'
    ? { [scheme.name.toLowerCase()]: key }
    : { authorization: `Bearer ${key}` };
}

function bodyOf({ requestBody }: Operation, kind: string, index: number): Uint8Array | undefined {
  const schema = requestBody?.content[0]?.schema;
  if (kind === 'none') return undefined;
  const value =
    schema === undefined
      ? { name: `n${index}`, title: `n${index}`, big: 9_007_199_254_740_993n.toString() }
      : sampleSchema(schema, { direction: 'request', seed: `${index}` }).value;
  const text = JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'bigint' ? Number(one) : one,
  );
  return new TextEncoder().encode(
    kind === 'broken' ? text.slice(0, -1) : kind === 'text' ? '"x"' : text,
  );
}

type Act = (sandbox: SandboxControl) => void;

/** Whatever the control interface does with one sandbox. */
function actsOf(contract: Contract): fc.Arbitrary<Act> {
  const plans = contract.rateLimit?.plans.map((plan) => plan.name) ?? [];
  const windows = contract.rateLimit?.windows.map((window) => window.name) ?? [];
  const choices = contract.openQuestions.flatMap(({ id, choices: all }) =>
    all.map(
      (choice): Act =>
        (sandbox) =>
          sandbox.choose({ [id]: choice.id }),
    ),
  );
  const quotas = plans.flatMap((plan) =>
    windows.flatMap((window): Act[] => [
      (sandbox) => void sandbox.changeQuota(plan, { limits: { [window]: 5 } }),
      (sandbox) => void sandbox.changeQuota(plan, { used: { [window]: 4 }, banSeconds: 3 }),
    ]),
  );
  const [first] = contract.operations;
  return fc.constantFrom<Act>(
    (sandbox) => sandbox.resetState(),
    (sandbox) => sandbox.replaceState({}),
    (sandbox) => sandbox.replaceState(sandbox.readState()),
    (sandbox) => sandbox.reset(),
    (sandbox) => sandbox.takeSnapshot('one'),
    (sandbox) => sandbox.takeSnapshot('1'),
    (sandbox) => sandbox.restoreSnapshot('one'),
    (sandbox) => void sandbox.dropSnapshot('1'),
    (sandbox) => sandbox.clock.freeze(),
    (sandbox) => sandbox.clock.thaw(),
    (sandbox) => sandbox.clock.advance(3_600_000),
    (sandbox) => sandbox.clock.restore(),
    (sandbox) => sandbox.clearJournal(),
    (sandbox) => sandbox.resetQuotas(),
    (sandbox) => void sandbox.quotas,
    (sandbox) => sandbox.resetChoices(),
    (sandbox) => void sandbox.addFault({ status: 503, probability: 0.5, count: 3 }),
    (sandbox) => void sandbox.addFault({ operation: first?.id, delay: { from: 1, to: 9 } }),
    (sandbox) => void sandbox.faults.remove('fault-1'),
    (sandbox) => sandbox.faults.clear(),
    (sandbox) =>
      void sandbox.stubs.add({
        request: { operation: first?.id ?? '' },
        responses: [{ status: 202 }, { body: { big: 9_007_199_254_740_993n } }],
        scenario: { name: 'steps', to: 'second' },
        times: 3,
      }),
    (sandbox) => void sandbox.stubs.remove('stub-1'),
    (sandbox) => void sandbox.collections.map(({ count }) => count),
    (sandbox) => {
      for (const collection of sandbox.collections) collection.add(collection.sample());
    },
    (sandbox) => {
      for (const collection of sandbox.collections) collection.remove(collection.ids[0] ?? '');
    },
    ...choices,
    ...quotas,
  );
}

type Step =
  | { readonly kind: 'request'; readonly request: MockRequest; readonly twice: boolean }
  | { readonly kind: 'act'; readonly act: Act }
  | { readonly kind: 'reload' }
  | { readonly kind: 'wait'; readonly seconds: number };

function stepsOf(contract: Contract): fc.Arbitrary<readonly Step[]> {
  const request = requestsOf(contract);
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ kind: fc.constant('request'), request, twice: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('act'), act: actsOf(contract) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'reload' }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.constantFrom(1, 61) }),
    },
  );
  return fc.array(step, { minLength: 1, maxLength: 40 });
}

/** The second is as the first after each step, and answers as it does. */
function follow(contract: Contract, seeds: { readonly seed?: JsonObject }, steps: readonly Step[]) {
  const clock = createTestClock();
  const replicas: Replicas = createReplicas(
    contract,
    { ...seeds, clock, journal: 8 },
    nameIn(contract),
  );
  for (const step of steps) {
    if (step.kind === 'wait') clock.advance(step.seconds);
    else if (step.kind === 'reload') replicas.reload();
    else if (step.kind === 'act') tolerate(() => replicas.control(step.act));
    else {
      const reported = replicas.ask(step.request);
      const response = replicas.request(step.request, step.twice);
      if (JSON.stringify(reported) !== JSON.stringify(response))
        throw new Error(`${JSON.stringify(reported)} is not ${JSON.stringify(response)}`);
    }
    const { first, second } = replicas.wholes();
    if (second !== first) throw new Error(`${second}\nis not\n${first}`);
  }
}

/** What does not fit is refused; it may have changed something all the same. */
function tolerate(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error;
  }
}

const runs = Number(process.env['STATE_RUNS'] ?? 60);

/** What is wrong with a document's copies; empty for nothing. */
function faultOf(
  contract: Contract,
  seeds: { readonly seed?: JsonObject },
  numRuns: number,
): string {
  const property = fc.property(stepsOf(contract), (steps) => follow(contract, seeds, steps));
  const details = fc.check(property, { numRuns, seed: 1, endOnFailure: true });
  return details.failed
    ? `${String(details.errorInstance)}\n${fc.defaultReportMessage(details)}`
    : '';
}

describe('a copy rebuilt from stored parts', () => {
  test('equals the original sandbox, for Petstore', { timeout: 120_000 }, () => {
    expect(faultOf(petstore, { seed }, runs)).toBe('');
  });

  test('and for another document', { timeout: 120_000 }, () => {
    expect(faultOf(books, {}, runs)).toBe('');
  });

  test('and for inferred resources', { timeout: 120_000 }, async () => {
    const names = `accepted client-named envelope-cursor envelope-page location-only nested no-list patches post-200
      singleton uuid wrapped`;
    for (const name of names.split(/\s+/)) {
      const contract = await loadContract({ file: fixtureFile(`shapes/${name}.yaml`) });
      expect(faultOf(contract, {}, Math.ceil(runs / 6))).toBe('');
    }
  });
});
