import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Contract, loadContract } from '../../contract/index.ts';
import { createMock, type Mock } from '../../mock/index.ts';
import {
  createMovableClock,
  createSender,
  type ReceivedResponse,
  runConformance,
  type Sender,
  type WireRequest,
} from '../../conformance/index.ts';

/** See `fixtures/documents/intended/README.md`. */
interface Expected {
  readonly about: string;
  readonly diagnostics?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly exchanges?: readonly ExpectedExchange[];
  readonly suite?: { readonly passed?: readonly string[]; readonly faults?: readonly Fault[] };
}

interface ExpectedExchange {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly type?: string;
  readonly response?: unknown;
  readonly has?: string;
  readonly header?: Readonly<Record<string, string>>;
}

interface Fault {
  readonly response: string;
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly fails: readonly string[];
}

const folder = fileURLToPath(new URL('../../fixtures/documents/intended/', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.expected.yaml'))
  .map((file) => basename(file, '.expected.yaml'));

describe.each(names)('%s', (name) => {
  const expected: Expected = parse(readFileSync(`${folder}${name}.expected.yaml`, 'utf8'));
  const load = (): Promise<Contract> => loadContract(`${folder}${name}.yaml`, { validate: true });

  test(`is read: ${expected.about}`, async () => {
    const contract = await load();
    const diagnostics = contract.diagnostics
      .map(({ pointer, level, message }) => `${pointer} ${level}: ${message}`)
      .toSorted();
    expect(diagnostics.map((text, index) => cutLike(text, expected.diagnostics?.[index]))).toEqual(
      expected.diagnostics ?? [],
    );
    const operations = contract.operations.map(({ id }) => id);
    expect(operations).toEqual(expected.operations ?? operations);
    const resources = describeResources(contract);
    expect(resources).toEqual(expected.resources ?? resources);
  });

  test('is served', async () => {
    const contract = await load();
    const mock = createMock(contract, { clock: createMovableClock(() => Date.UTC(2026, 5, 1)) });
    const seen = [];
    for (const exchange of expected.exchanges ?? [])
      seen.push(await send(mock, contract, exchange));
    expect(seen).toMatchObject(expected.exchanges ?? []);
  });

  test('is tested', async () => {
    const contract = await load();
    const { failed, passed } = await runSuite(contract);
    expect(failed).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining([...(expected.suite?.passed ?? [])]));
  });

  for (const fault of expected.suite?.faults ?? [])
    test(`a fault is found: ${fault.fails.join(', ')}`, async () => {
      const { failed } = await runSuite(await load(), fault);
      expect(failed).toEqual(expect.arrayContaining([...fault.fails]));
    });
});

/** The expectation where the text begins as it does, else the text: a reason may go on. */
function cutLike(text: string, expected: string | undefined): string {
  return expected !== undefined && text.startsWith(expected) ? expected : text;
}

function describeResources({ inferredResources }: Contract): readonly string[] {
  return inferredResources.map(
    ({ path, certain }) => `${path} ${certain === undefined ? 'inferred' : 'certain'}`,
  );
}

/** What came back of a request, in the form of the expectation. */
async function send(
  mock: Mock,
  { basePath }: Contract,
  expected: ExpectedExchange,
): Promise<object> {
  const { request, headers = {}, body, type, response, has, header } = expected;
  const [method = '', target = ''] = request.split(' ');
  const key = mock.keys[0]?.key;
  const answer = await mock.fetch(`http://localhost${basePath}${target}`, {
    method,
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const said: Record<string, string | null> = {};
  for (const name of Object.keys(header ?? {})) said[name] = answer.headers.get(name);
  return {
    ...expected,
    status: answer.status,
    ...(type !== undefined && { type: answer.headers.get('content-type') }),
    ...(response !== undefined && {
      response: typeof response === 'string' ? text : readJson(text),
    }),
    ...(has !== undefined && { has: text.includes(has) ? has : text }),
    ...(header !== undefined && { header: said }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The ids of requirements that failed and passed, on the mock or on one with a fault. */
async function runSuite(contract: Contract, fault?: Fault): Promise<SuiteResult> {
  const clock = createMovableClock(() => Date.UTC(2026, 5, 1));
  const mock = createMock(contract, { clock });
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' });
  const sender = createSender({ timeout: 10_000, verifyTls: true });
  try {
    const { verdicts } = await runConformance(
      contract,
      { baseUrl: listening.url, apiKey: mock.keys[0]?.key },
      { clock, seed: 1, requests: 300, sender: breakResponses(sender, contract, fault) },
    );
    const idsOf = (wanted: string): readonly string[] =>
      verdicts.filter(({ kind }) => kind === wanted).map(({ requirement }) => requirement.id);
    return { failed: idsOf('failed'), passed: idsOf('passed') };
  } finally {
    await sender[Symbol.asyncDispose]();
    await listening.close();
  }
}

interface SuiteResult {
  readonly failed: readonly string[];
  readonly passed: readonly string[];
}

/** A sender whose responses to certain requests are those of a broken server. */
function breakResponses(sender: Sender, { basePath }: Contract, fault?: Fault): Sender {
  if (fault === undefined) return sender;
  const [method, target = ''] = fault.response.split(' ');
  const concerns = (request: WireRequest): boolean => {
    const { pathname, search } = new URL(request.url);
    const asked = target.includes('?') ? pathname + search : pathname;
    return request.method === method && asked === basePath + target;
  };
  const broken = (response: ReceivedResponse): ReceivedResponse => ({
    ...response,
    status: fault.status ?? response.status,
    headers: response.headers
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [
        name,
        (name.toLowerCase() === 'content-type' && fault.type) || value,
      ]),
    body: fault.body ?? response.body,
  });
  return {
    send: async (request) => {
      const outcome = await sender.send(request);
      return outcome.kind === 'answered' && outcome.response.status < 300 && concerns(request)
        ? { ...outcome, response: broken(outcome.response) }
        : outcome;
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  };
}
