import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  createMock,
  type JournalEntry,
  type Mock,
  type MockOptions,
  type OpenConformance,
} from '../../mock/index.ts';
import { argumentError, explainError } from '../io/command-failure.ts';
import {
  type CommandIo,
  layoutFor,
  optimiseForMemory,
  optimiseForSpeed,
  printError,
} from '../io/command-io.ts';
import { readInput, readJsonFile } from '../io/file.ts';
import { createCommand } from '../options/command.ts';
import { defined } from '../../contract/list/defined.ts';
import {
  oneOf,
  type FlagTable,
  type FlagValues,
  nonEmpty,
  pairs,
  readWhole,
  sharedFlags,
  whole,
} from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';
import { describeListening, printDiagnostics, renderBanner } from './mock/banner.ts';
import { watchDocument, watchStubs } from './mock/reload.ts';
import { createEventPrinter, renderEntry } from './mock/request-log.ts';
import { memoryLimit } from '../../mock/sandbox/memory.ts';

const flags = {
  port: {
    ...whole(0, 65_535),
    default: '4010',
    help: 'Listen on this port, 0 for any free one.',
  },
  host: {
    value: '<address>',
    read: nonEmpty,
    default: '127.0.0.1',
    help: 'Listen on this address.',
  },
  ...sharedFlags,
  seed: {
    value: '<file>|none',
    help: 'JSON file of items to start with, by path of the collection. Default: the bundled items, or for another document the examples of its lists.',
  },
  seedFrom: {
    group: 'Data and behaviour',
    value: '<file>|<url>',
    help: 'Take the first items from recorded traffic (HAR), from the report.json of conform, or from the lists of a running server.',
  },
  apiKey: {
    group: 'Data and behaviour',
    value: '<key>',
    variable: 'PETSTORE_API_KEY',
    help: 'API key for the server of --seed-from. Default: PETSTORE_API_KEY.',
  },
  stubs: {
    value: '<file>',
    help: 'JSON or YAML file of stubs: fixed responses to certain requests. Read again when it changes.',
  },
  choice: {
    group: 'Data and behaviour',
    ...pairs('<question>=<choice>'),
    help: 'Choose what the mock does where the document leaves it open. The questions and choices are in the document, under x-unspecified. Can be repeated.',
  },
  like: {
    group: 'Data and behaviour',
    value: '<file>',
    help: 'Behave as the server in this report.json of conform did where the document leaves it open. --choice takes precedence.',
  },
  sandboxes: {
    group: 'Keys, limits and sandboxes',
    ...whole(1, 1_000_000),
    help: 'Keep at most this many sandboxes, besides that of the keys shown at the start. Default: 1000.',
  },
  maxMemory: {
    group: 'Keys, limits and sandboxes',
    ...whole(1, 65_536),
    value: '<MiB>',
    help: 'Memory for all sandboxes in MiB; one sandbox gets at most a quarter. Default: 512, less in a small process.',
  },
  key: {
    group: 'Keys, limits and sandboxes',
    value: '<key>',
    many: true,
    read: nonEmpty,
    help: 'Accept only this key, such as business_shard-1, and the keys shown at the start. Can be repeated. Default: any key that names a sandbox.',
  },
  state: {
    value: '<url>',
    read: nonEmpty,
    help: 'Keep the data in a folder (file:./petstore-state) or on a server (valkey://127.0.0.1:6379), so that it outlives the mock and several mocks can share it. Default: in memory.',
  },
  limit: {
    value: '<plan>.<window>=<number>',
    many: true,
    read: parseLimit,
    help: 'Requests per window, such as enterprise.minute=5000. The plan anonymous is for callers without a valid key. Can be repeated.',
  },
  banAfter: {
    group: 'Keys, limits and sandboxes',
    ...whole(1, Number.MAX_SAFE_INTEGER),
    help: 'Ban a key after this many requests during the wait of a 429. Default: 10.',
  },
  banSeconds: {
    group: 'Keys, limits and sandboxes',
    ...whole(0, 100 * 365 * 86_400),
    help: 'Length of a ban; 0 for none. Default: what the document says, else 60.',
  },
  tlsKey: { group: 'HTTPS', value: '<file>', help: 'Serve HTTPS with this private key (PEM).' },
  tlsCert: { group: 'HTTPS', value: '<file>', help: 'The certificate of --tls-key (PEM).' },
  controlToken: {
    group: 'Control interface',
    value: '<token>',
    variable: 'PETSTORE_MOCK_CONTROL_TOKEN',
    read: nonEmpty,
    help: 'Let other machines use the control interface at /_mock/ with this bearer token. Default: PETSTORE_MOCK_CONTROL_TOKEN.',
  },
  controlCors: {
    group: 'Control interface',
    value: '<origin>',
    read: parseOrigin,
    help: 'Let web pages of this origin use the control interface.',
  },
  webhookHost: {
    group: 'Control interface',
    value: '<host>',
    many: true,
    read: nonEmpty,
    help: 'Let webhooks and callbacks go to this host too. Can be repeated. Default: only this machine.',
  },
  noWatch: { group: 'Output', help: 'Do not reload the document and the stubs when they change.' },
  log: {
    group: 'Output',
    ...oneOf('text', 'json'),
    default: 'text',
    help: 'Print text, or JSON with one object per line.',
  },
  quiet: { help: 'Do not print a line for each request.' },
} satisfies FlagTable;

type Wanted = FlagValues<typeof flags>;

function parseOrigin(text: string, flag: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null' && text.replace(/\/$/, '') === origin) return origin;
  throw argumentError(`${flag} must be an origin such as http://localhost:5173, not "${text}".`);
}

function parseLimit(text: string, flag: string) {
  const [, plan, window, number] = /^(.+)\.([^.=]+)=(.+)$/.exec(text) ?? [];
  if (plan === undefined || window === undefined || number === undefined)
    throw argumentError(`${flag} must be <plan>.<window>=<number>, not "${text}".`);
  const limit = readWhole(number, [1, Number.MAX_SAFE_INTEGER], `${flag} ${plan}.${window}`);
  return { plan: plan.toLowerCase(), window, number: limit };
}

/**
 * `petstore mock`: serves a contract until the signal is aborted. Exit code 0, or 2 if it cannot
 * start.
 */
export const runMock = createCommand(
  {
    name: 'mock',
    usage: '[<openapi.yaml>] [options]',
    operands: ['contract'],
    description: [
      'Starts a mock server for an OpenAPI document. It stores items, checks API keys, enforces rate limits and returns the errors of the document. Ctrl-C stops it.',
    ],
    examples: [
      ['', 'Mock the bundled document on port 4010.'],
      ['my.yaml --port 0', 'Mock your own document on a free port.'],
      ['my.yaml --seed items.json --state file:./state', 'Start with your items and keep changes.'],
    ],
    page: 'mock.md',
    flags,
    exitCodes: ['stopped'],
  },
  async ({ values }, io) => {
    const { like, controlToken: token, controlCors: cors, webhookHost: webhookHosts } = values;
    const print = createEventPrinter(values.log, io);
    const { certificate, ...tls } = await openTls(values);
    const follow = values.noWatch ? undefined : await watchDocument(values, print, io);
    if (values.contract !== undefined) optimiseForMemory();
    const contract = await loadChosenContract(values.contract, values);
    printDiagnostics(contract, values.contract, io);
    const choices = await openChoices(contract, values, io);
    const seed = await openSeed(contract, values, io);
    const options = { ...listOptions(values), ...seed, choices };
    // From here on resources must be closed, so a signal must not end the process at once.
    const { signal } = io;
    const state = await openState(values.state, io);
    try {
      const printEntry = async (entry: JournalEntry): Promise<void> => {
        // Loaded with the first request, which keeps the start fast.
        const control = await mock.control();
        print(
          'request',
          // Bodies are only in the journal, because they may contain keys of other services.
          () => ({ ...control.present(entry), body: undefined, callbacks: undefined }),
          // Without a terminal each request is one line, for other programs.
          () => renderEntry(entry, layoutFor(io, Infinity), control.hints(entry)),
        );
      };
      let printed = Promise.resolve();
      const onEntry = (entry: JournalEntry): void => {
        printed = printed.then(() => printEntry(entry));
      };
      const mock: Mock = createMock(contract, {
        ...options,
        ...state,
        ...(values.quiet ? {} : { onEntry }),
        onFault: (fault) => printError(io, 'mock', explainError(fault, io.env)),
      });
      // The control interface is only loaded if something needs it.
      const followStubs =
        values.stubs && (await watchStubs(await mock.control(), values.stubs, print, io));
      // Loaded with the first run from the page, and kept out of the bundle.
      const conformance: OpenConformance = async (onRun) => {
        const { SuiteRuns } = await import('../conformance/runs.ts');
        return new SuiteRuns({ mock, options, onRun, signal });
      };
      const control = { token, cors, webhookHosts, conformance, like };
      const { port, host } = values;
      const listening = await mock.listen({ port, host, ...tls, control });
      optimiseForSpeedLater();
      const facts = { ...listening, certificate };
      print(
        'listening',
        () => describeListening(mock, facts, { choices, like }),
        () => renderBanner(mock, facts, { ...values, choices }, layoutFor(io, bannerWidth)),
      );
      void follow?.(mock);
      if (followStubs && !values.noWatch) void followStubs();
      if (!signal.aborted) await once(signal, 'abort');
      await listening.close();
      await printed;
      print('closed', () => ({}));
    } finally {
      await state.state?.close();
    }
    return 0;
  },
);

/** Columns of the banner if stdout is not a terminal. */
const bannerWidth = 80;

/** The options of the mock. */
function listOptions({ limit, banAfter, banSeconds, sandboxes, key, maxMemory }: Wanted) {
  const limits: Record<string, Readonly<Record<string, number>>> = {};
  for (const { plan, window, number } of limit)
    limits[plan] = { ...limits[plan], [window]: number };
  // Leave room for the rest in a small process.
  const usualMemory = Math.min(memoryLimit, Math.floor(getHeapStatistics().heap_size_limit / 8));
  return defined({
    limits,
    banAfter,
    banSeconds,
    sandboxes,
    keys: key.length === 0 ? undefined : key,
    maxMemory: maxMemory === undefined ? usualMemory : maxMemory * 2 ** 20,
  });
}

/** Opens the storage of the sandboxes; undefined for memory. Rejects with `PetstoreError`. */
async function openState(
  address: string | undefined,
  io: CommandIo,
): Promise<Pick<MockOptions, 'state' | 'onNotice'>> {
  if (address === undefined) return {};
  const { openStateEngine } = await import('../../mock/state/open/open.ts');
  const onNotice = (notice: string): void => printError(io, 'mock', notice);
  return { state: await openStateEngine(address, onNotice), onNotice };
}

/**
 * Choices other than the document's default: those of --choice, then those that the report of
 * --like observed. Throws `PetstoreError`.
 */
async function openChoices(
  contract: Contract,
  { like: file, choice }: Wanted,
  io: CommandIo,
): Promise<Readonly<Record<string, string>>> {
  let copied: Readonly<Record<string, string>> = {};
  if (file !== undefined) {
    const { readReportFile } = await import('../io/report-file.ts');
    const { choicesFromReport } = await import('./mock/like.ts');
    const likeness = choicesFromReport(contract, await readReportFile(file, contract));
    copied = likeness.choices;
    for (const reason of likeness.leftOut)
      printError(io, 'mock', `not taken from ${file}: ${reason}`);
  }
  const defaults = new Map(contract.openQuestions.map((each) => [each.id, each.default]));
  const all = Object.entries({ ...copied, ...Object.fromEntries(choice) });
  return Object.fromEntries(all.filter(([id, made]) => defaults.get(id) !== made));
}

/** Number of garbage collections for which memory has priority over speed. */
const sparingRounds = 20;

/**
 * The first requests compile schemas, which briefly takes much memory; later ones should be fast.
 */
function optimiseForSpeedLater(): void {
  let rounds = 0;
  // Called between requests; once for all collections during one request.
  const observer = new PerformanceObserver(() => {
    rounds += 1;
    if (rounds < sparingRounds) return;
    observer.disconnect();
    optimiseForSpeed();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** Throws `PetstoreError` for files that cannot be used, or the system's error. */
async function openTls({ tlsKey, tlsCert }: Wanted) {
  if (tlsKey === undefined && tlsCert === undefined) return { certificate: undefined };
  if (tlsKey === undefined || tlsCert === undefined)
    throw argumentError('--tls-key and --tls-cert must be used together.');
  const [key, cert] = await Promise.all([tlsKey, tlsCert].map((file) => readInput(file)));
  const identity = { key: key ?? '', cert: cert ?? '' };
  // The certificate parser is only loaded if there is a certificate.
  const { createSecureContext } = await import('node:tls');
  const { X509Certificate } = await import('node:crypto');
  try {
    createSecureContext(identity);
    return { tls: identity, certificate: new X509Certificate(identity.cert) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw argumentError(
      `${tlsKey} must be a private key without a passphrase and ${tlsCert} its certificate, both in PEM: ${reason}.`,
      cause,
    );
  }
}

/** The items that a mock starts with. */
async function openSeed(
  contract: Contract,
  wanted: Wanted,
  io: CommandIo,
): Promise<Pick<MockOptions, 'seed'>> {
  const { seed: file, seedFrom: source, apiKey } = wanted;
  if (source !== undefined) {
    if (file !== undefined) throw argumentError('Use either --seed or --seed-from, not both.');
    const { openTrafficSeed } = await import('./mock/seed-from.ts');
    return { seed: await openTrafficSeed(contract, { source, apiKey }, io) };
  }
  if (file === 'none') return { seed: {} };
  if (file === undefined) return {};
  return await readJsonFile(file, 'an object with an array per collection path', (value) => ({
    seed: codec.jsonObject.read(value, ''),
  }));
}
