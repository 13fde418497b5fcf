import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import type { Inventory } from '../../client/index.ts';
import { codec, type Contract, hasCode } from '../../contract/index.ts';
import { inputLimits, mockLimits } from '../../contract/limits/index.ts';
import {
  type Clock,
  type Control,
  createMock,
  type ListenOptions,
  type Mock,
  type MockOptions,
  type OpenConformance,
} from '../../mock/index.ts';
import { show, showJson, type VisibleText } from '../../page/view/visible.ts';
import { argumentError, tellFault } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { readBytes, readJsonFile } from '../io/file.ts';
import {
  among,
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  nonEmpty,
  whole,
  documentFlags,
} from '../options/flags.ts';
import { layoutFor, tellError } from '../io/terminal.ts';
import { loadChosenContract, readBundledSeed } from '../package/bundled.ts';
import { type ChosenAnswers, renderBanner, renderFaults, renderListening } from './mock/banner.ts';
import { createRequestLog, type RequestLog } from './mock/request-log.ts';
import type { StubFile } from './mock/stub-file.ts';
import type { TrafficSeed } from './mock/traffic-seed.ts';

/** 100 years. */
const mostBanSeconds = 3_153_600_000;

const flags = {
  port: {
    value: '<number>',
    read: whole(0, 65_535),
    default: '4010',
    help: 'Listen on this port, 0 for any free one. Default: 4010.',
  },
  host: {
    value: '<address>',
    read: nonEmpty,
    default: '127.0.0.1',
    help: 'Listen on this address. Default: 127.0.0.1.',
  },
  contract: {
    value: '<file>',
    help: 'OpenAPI document to mock. Default: the bundled openapi.yaml.',
  },
  ...documentFlags,
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
    value: '<question>=<choice>',
    many: true,
    read: parseChoice,
    help: 'Choose a behaviour that the document leaves open. The questions and choices are in the document, under x-unspecified. Can be repeated.',
  },
  like: {
    group: 'Data and behaviour',
    value: '<file>',
    help: 'Behave as the server in this report.json of conform did where the document leaves it open. --choice takes precedence.',
  },
  sandboxes: {
    group: 'Keys, limits and sandboxes',
    value: '<number>',
    read: whole(1, 1_000_000),
    help: 'Keep at most this many sandboxes, besides that of the keys shown at the start. Default: 1000.',
  },
  maxMemory: {
    group: 'Keys, limits and sandboxes',
    value: '<MiB>',
    read: whole(1, 65_536),
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
    value: '<number>',
    read: whole(1, Number.MAX_SAFE_INTEGER),
    help: 'Ban a key after this many requests during the wait of a 429. Default: 10.',
  },
  banSeconds: {
    group: 'Keys, limits and sandboxes',
    value: '<number>',
    read: whole(0, mostBanSeconds),
    help: 'Length of a ban; 0 for none. Default: what the document says, else 60.',
  },
  tls: { help: 'Serve HTTPS with a generated, self-signed certificate.' },
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
  noWatch: { group: 'Output', help: 'Do not reload the document and the stubs when they change.' },
  log: {
    group: 'Output',
    value: '<form>',
    read: among('text', 'json'),
    default: 'text',
    help: 'Print text, or JSON with one object per line. Default: text.',
  },
  quiet: { help: 'Do not print a line for each request.' },
} satisfies FlagTable;

const mockForm = {
  name: 'mock',
  takes: '[<openapi.yaml>] [options]',
  operands: ['contract'],
  about: [
    'Starts a mock server for an OpenAPI document. It stores items, checks API keys, enforces rate limits and returns the errors of the document. Ctrl-C stops it.',
  ],
  examples: [
    ['', 'Mock the bundled document on port 4010.'],
    ['my.yaml --port 0', 'Mock your own document on a free port.'],
    ['my.yaml --seed items.json --state file:./state', 'Start with your items and keep changes.'],
  ],
  page: 'mock.md',
  flags,
  exits: '0 stopped, 2 could not start',
} satisfies CommandForm;

export type MockArguments = Omit<FlagValues<typeof flags>, 'choice' | 'limit' | 'tls'> & {
  readonly choices: Readonly<Record<string, string>>;
  /** Requests by plan, in lower case, and window. */
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Files of key and certificate, or a certificate that is made; undefined for plain HTTP. */
  readonly tls: { readonly key: string; readonly cert: string } | 'generated' | undefined;
};

function readMockArguments({ values }: CommandLine<typeof flags>): MockArguments {
  const { choice, limit } = values;
  const limits = new Map<string, Readonly<Record<string, number>>>();
  for (const { plan, window, number } of limit)
    limits.set(plan, { ...limits.get(plan), [window]: number });
  return {
    ...values,
    choices: Object.fromEntries(choice),
    limits: Object.fromEntries(limits),
    tls: readTls(values),
  };
}

function parseOrigin(text: string, flag: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null' && text.replace(/\/$/, '') === origin) return origin;
  throw argumentError(`${flag} must be an origin such as http://localhost:5173, not "${text}".`);
}

function readTls({ tls, tlsKey, tlsCert }: FlagValues<typeof flags>): MockArguments['tls'] {
  if (tlsKey === undefined && tlsCert === undefined) return tls ? 'generated' : undefined;
  if (tls) throw argumentError('Use either --tls or --tls-key with --tls-cert, not both.');
  if (tlsKey === undefined || tlsCert === undefined)
    throw argumentError('--tls-key and --tls-cert must be used together.');
  return { key: tlsKey, cert: tlsCert };
}

function parseChoice(text: string, flag: string): readonly [question: string, choice: string] {
  const [, question, choice] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (question === undefined || choice === undefined)
    throw argumentError(`${flag} must be <question>=<choice>, not "${text}".`);
  return [question, choice];
}

function parseLimit(text: string, flag: string) {
  const [, plan, window, number] = /^(.+)\.([^.=]+)=(.+)$/.exec(text) ?? [];
  if (plan === undefined || window === undefined || number === undefined)
    throw argumentError(`${flag} must be <plan>.<window>=<number>, not "${text}".`);
  const read = whole(1, Number.MAX_SAFE_INTEGER);
  return { plan: plan.toLowerCase(), window, number: read(number, `${flag} ${plan}.${window}`) };
}

/** `petstore mock`: serves a contract until the signal is aborted. Exit code 0, or 2: no start. */
export const runMock = createCommand(mockForm, async (line, io) => {
  await serve(readMockArguments(line), io);
  return 0;
});

async function serve(wanted: MockArguments, io: CommandIo): Promise<void> {
  const tls = await openTls(wanted);
  const since = Date.now();
  const contract = await loadChosenContract(wanted.contract, wanted);
  const faults = renderFaults(contract, wanted.contract);
  if (faults !== '') tellError(io, 'mock', faults);
  const chosen = await openChoices(contract, wanted);
  for (const reason of chosen.like?.leftOut ?? [])
    tellError(io, 'mock', `not taken from ${wanted.like}: ${reason}`);
  const found = wanted.seedFrom === undefined ? undefined : await openTraffic(contract, wanted, io);
  const options = { ...(await readMockOptions(wanted, chosen)), ...found?.seed };
  // From here on there is something to close.
  const { signal } = io;
  const state = await openState(wanted, io);
  try {
    const { mock, log } = openMock(contract, { ...options, ...state }, wanted, io);
    // The control interface is loaded only if something needs it.
    if (found !== undefined) (await mock.control()).useItems(found.items);
    const stubs = wanted.stubs === undefined ? undefined : await openStubs(mock, wanted, io);
    const { port, host, controlToken: token, controlCors: cors, like } = wanted;
    const conformance = createSuiteOpening(mock, options, io);
    const access = { token, cors, conformance, like };
    const listening = await mock.listen({ port, host, ...tls, control: access });
    io.stdout.write(
      wanted.log === 'text'
        ? renderBanner(mock, listening, { ...wanted, ...chosen }, layoutFor(io, bannerWidth))
        : show`${renderListening(mock, listening, chosen)}\n`,
    );
    if (!wanted.noWatch) {
      const { watchDocument } = await import('./mock/watch.ts');
      await watchDocument(mock, wanted, io, since);
      await stubs?.watch();
    }
    if (!signal.aborted) await once(signal, 'abort');
    await listening.close();
    await log.end();
    if (wanted.log === 'json')
      io.stdout.write(show`${showJson({ kind: 'closed', at: new Date().toISOString() })}\n`);
  } finally {
    await state.state?.close();
  }
}

/** Columns of the banner without a terminal. */
const bannerWidth = 80;

async function openTraffic(
  contract: Contract,
  wanted: MockArguments,
  io: CommandIo,
): Promise<TrafficSeed> {
  const { openTrafficSeed } = await import('./mock/traffic-seed.ts');
  return await openTrafficSeed(contract, wanted, io);
}

/** Where the sandboxes are kept, if not in memory. Rejects with `PetstoreError`. */
async function openState(
  { state: address }: MockArguments,
  io: CommandIo,
): Promise<Pick<MockOptions, 'state' | 'onNotice'>> {
  if (address === undefined) return {};
  const { openStateEngine } = await import('../../mock/state/open/open.ts');
  const onNotice = (notice: string): void => tellError(io, 'mock', notice);
  return { state: await openStateEngine(address, onNotice), onNotice };
}

async function openStubs(mock: Mock, wanted: MockArguments, io: CommandIo): Promise<StubFile> {
  const { openStubFile } = await import('./mock/stub-file.ts');
  return await openStubFile(await mock.control(), wanted, io);
}

/** How the document is to be mocked. */
async function readMockOptions(
  wanted: MockArguments,
  { choices }: ChosenAnswers,
): Promise<MockOptions> {
  const { limits, banAfter, banSeconds, sandboxes, key: keys } = wanted;
  const seed = await openSeed(wanted);
  return {
    choices,
    limits,
    ...seed,
    maxMemory: memoryOf(wanted),
    ...(sandboxes === undefined ? {} : { sandboxes }),
    ...(keys.length === 0 ? {} : { keys }),
    ...(banAfter === undefined ? {} : { banAfter }),
    ...(banSeconds === undefined ? {} : { banSeconds }),
  };
}

/**
 * Bytes that the sandboxes may keep: an eighth of the heap where nobody says more, so that a small
 * process does not end for want of memory.
 */
function memoryOf({ maxMemory }: MockArguments): number {
  if (maxMemory !== undefined) return maxMemory * 2 ** 20;
  return Math.min(mockLimits.memory.most, Math.floor(getHeapStatistics().heap_size_limit / 8));
}

/** What judges from the page: it is loaded with the first run, and stays outside of the bundle. */
function createSuiteOpening(mock: Mock, options: MockOptions, io: CommandIo): OpenConformance {
  return async (onRun) => {
    const { SuiteRuns } = await import('../conformance/runs.ts');
    const control = await mock.control();
    const ordering = {
      get contract() {
        return mock.contract;
      },
      createCopy: (clock: Clock, sandbox?: string): Mock =>
        copyMock(mock, { ...options, ...settingsOf(control, options, sandbox), clock }),
    };
    return new SuiteRuns({ mock: ordering, onRun, signal: io.signal });
  };
}

function openMock(
  contract: Contract,
  options: MockOptions,
  wanted: MockArguments,
  io: CommandIo,
): { readonly mock: Mock; readonly log: RequestLog } {
  // Without a terminal each request is one line, for other programs.
  const layout = layoutFor(io, Number.POSITIVE_INFINITY);
  const write = (line: VisibleText): void => void io.stdout.write(show`${line}\n`);
  const log = createRequestLog(() => mock, { log: wanted.log, layout, write });
  const mock: Mock = createMock(contract, {
    ...options,
    ...(wanted.quiet ? {} : { onEntry: log.onEntry }),
    onFault: (fault) => tellFault(io, 'mock', fault),
  });
  return { mock, log };
}

/** Choices that were observed, and before them those that are asked for. Throws `PetstoreError`. */
async function openChoices(
  contract: Contract,
  { like: file, choices: asked }: Pick<MockArguments, 'like' | 'choices'>,
): Promise<ChosenAnswers> {
  let [all, like]: [ChosenAnswers['choices'], ChosenAnswers['like']] = [asked, undefined];
  if (file !== undefined) {
    const { readReportFile } = await import('../io/report-file.ts');
    const { findLikeness } = await import('./mock/like.ts');
    const { choices, leftOut } = findLikeness(contract, await readReportFile(file, contract));
    const taken = Object.fromEntries(
      Object.entries(choices).filter(([question]) => asked[question] === undefined),
    );
    all = { ...taken, ...asked };
    like = { file, taken, leftOut };
  }
  const defaults = new Map(contract.openQuestions.map((each) => [each.id, each.default]));
  const others = Object.entries(all).filter(([id, choice]) => defaults.get(id) !== choice);
  return { choices: Object.fromEntries(others), like };
}

/**
 * A mock of the document that a mock serves now. Items to start with that do not fit the document any
 * more are left out.
 */
function copyMock({ contract }: Mock, options: MockOptions): Mock {
  try {
    return createMock(contract, options);
  } catch (error) {
    if (!hasCode(error, 'seed')) throw error;
    const { seed: _unfit, isSeedTrusted: _trusted, ...others } = options;
    return createMock(contract, others);
  }
}

/** The choices and limits of a sandbox, which is not created by it. */
function settingsOf(
  control: Control,
  { limits = {} }: MockOptions,
  sandbox: string | undefined,
): Pick<MockOptions, 'choices' | 'limits'> {
  if (sandbox === undefined) return {};
  const { choices, quotas } = control.look(sandbox);
  const own = quotas.map(({ plan, windows }) => [
    plan,
    Object.fromEntries(windows.map(({ name, limit }) => [name, limit])),
  ]);
  const plans = new Set(quotas.map(({ plan }) => plan.toLowerCase()));
  const others = Object.entries(limits).filter(([plan]) => !plans.has(plan.toLowerCase()));
  return { choices, limits: Object.fromEntries([...own, ...others]) };
}

/** Throws `PetstoreError` for a key or certificate that cannot be used, or the system's error. */
async function openTls({ tls }: MockArguments): Promise<Pick<ListenOptions, 'tls'>> {
  if (tls === undefined) return {};
  if (tls === 'generated') return { tls };
  const [key, cert] = await Promise.all([
    readBytes(tls.key, inputLimits.settingBytes),
    readBytes(tls.cert, inputLimits.settingBytes),
  ]);
  const noKey = `${tls.key} (--tls-key) is not a private key in PEM, or needs a passphrase.`;
  const noCertificate = `${tls.cert} (--tls-cert) is not a certificate in PEM.`;
  const privateKey = parsePem(noKey, () => createPrivateKey(key));
  const certificate = parsePem(noCertificate, () => new X509Certificate(cert));
  if (!certificate.checkPrivateKey(privateKey))
    throw argumentError(`${tls.key} is not the private key of the certificate ${tls.cert}.`);
  return { tls: { key, cert } };
}

function parsePem<Value>(reason: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw argumentError(reason, cause);
  }
}

/** The seed asked for; none for the document's own examples. Throws `PetstoreError`. */
async function openSeed({ seed, contract }: MockArguments): Promise<Inventory> {
  if (seed === 'none') return { seed: {} };
  if (seed === undefined) return contract === undefined ? await readBundledSeed() : {};
  return await readJsonFile(
    seed,
    'an object with an array per collection path',
    (value) => ({ seed: codec.jsonObject.read(value, '') }),
    inputLimits.settingBytes,
  );
}
