import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import type { Contract } from '../../../contract/index.ts';
import {
  type Listening,
  type Mock,
  type MockOptions,
  type OpenConformance,
  createMock,
} from '../../../mock/index.ts';
import { mockLimits } from '../../../limits/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type MockArguments, mockForm, readMockArguments } from './options.ts';
import { renderBanner, renderFaults } from './console/banner.ts';
import { createCommand } from '../../io/command.ts';
import { tellFault } from '../../io/command-failure.ts';
import { openChoices } from './chosen.ts';
import type { ChosenAnswers } from './console/chosen-answers.ts';
import { type RequestLog, createRequestLog } from './console/request-log.ts';
import { layoutFor, tellError } from '../../io/terminal.ts';
import { openSeed } from './seed.ts';
import type { TrafficSeed } from './seed-from/open.ts';
import type { StubFile } from './stub-file.ts';
import { openTls } from './tls.ts';
import { type VisibleText, show, showJson } from '../../../view/visible.ts';

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
    await listen(contract, { wanted, chosen, options, tls, since, state, found, signal }, io);
  } finally {
    await state.state?.close();
  }
}

interface Setting {
  readonly wanted: MockArguments;
  readonly chosen: ChosenAnswers;
  readonly options: MockOptions;
  readonly tls: Awaited<ReturnType<typeof openTls>>;
  /** An instant before the document was read. */
  readonly since: number;
  readonly state: Pick<MockOptions, 'state' | 'onNotice'>;
  /** Undefined where no traffic is to be read. */
  readonly found: TrafficSeed | undefined;
  readonly signal: AbortSignal;
}

async function listen(
  contract: Contract,
  { wanted, chosen, options, tls, since, state, found, signal }: Setting,
  io: CommandIo,
): Promise<void> {
  const { mock, log } = openMock(contract, { ...options, ...state }, wanted, io);
  if (found !== undefined) (await mock.control()).useItems(found.items);
  const { port, host, controlToken: token, controlCors: cors } = wanted;
  const stubs = wanted.stubs === undefined ? undefined : await openStubs(mock, wanted, io);
  const conformance = createSuiteOpening(mock, options, io);
  const listening = await mock.listen({
    port,
    host,
    ...tls,
    control: { token, cors, conformance, like: wanted.like },
  });
  io.stdout.write(await renderStart(mock, listening, chosen, wanted, io));
  if (!wanted.noWatch) {
    const { watchDocument } = await import('./watch.ts');
    await watchDocument(mock, wanted, io, since);
    await stubs?.watch();
  }
  if (!signal.aborted) await once(signal, 'abort');
  await listening.close();
  await log.end();
  if (wanted.log === 'json')
    io.stdout.write(show`${showJson({ kind: 'closed', at: new Date().toISOString() })}\n`);
}

async function openTraffic(
  contract: Contract,
  wanted: MockArguments,
  io: CommandIo,
): Promise<TrafficSeed> {
  const { openTrafficSeed } = await import('./seed-from/open.ts');
  return await openTrafficSeed(contract, wanted, io);
}

/** Where the sandboxes are kept, if not in memory. Rejects with `PetstoreError`. */
async function openState(
  { state: address }: MockArguments,
  io: CommandIo,
): Promise<Setting['state']> {
  if (address === undefined) return {};
  const { openStateEngine } = await import('../../../mock/state/open/open.ts');
  const onNotice = (notice: string): void => tellError(io, 'mock', notice);
  return { state: await openStateEngine(address, onNotice), onNotice };
}

async function openStubs(mock: Mock, wanted: MockArguments, io: CommandIo): Promise<StubFile> {
  const { openStubFile } = await import('./stub-file.ts');
  return await openStubFile(await mock.control(), wanted, io);
}

/** Columns of the banner where there is no terminal. */
const bannerWidth = 80;

async function renderStart(
  mock: Mock,
  listening: Listening,
  chosen: ChosenAnswers,
  { log, state, controlToken }: MockArguments,
  io: CommandIo,
): Promise<VisibleText> {
  if (log === 'text')
    return renderBanner(
      mock,
      listening,
      { ...chosen, state, controlToken },
      layoutFor(io, bannerWidth),
    );
  const { renderListening } = await import('./console/listening.ts');
  return show`${renderListening(mock, listening, chosen)}\n`;
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
    const { SuiteRuns } = await import('../../conformance/runs.ts');
    const { copyMock } = await import('./copy.ts');
    const ordering = {
      get contract() {
        return mock.contract;
      },
      createCopy: copyMock(mock, await mock.control(), options),
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
