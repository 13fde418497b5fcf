import { once } from 'node:events';
import type { Contract } from '../../../contract/index.ts';
import {
  type JournalEntry,
  type Mock,
  type MockOptions,
  type OpenConformance,
  createMock,
} from '../../../mock/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type MockArguments, mockForm, readMockArguments } from './options.ts';
import { renderBanner, renderFaults } from './banner.ts';
import { createCommand } from '../../io/command.ts';
import { renderEntry, renderEntryJson } from './log.ts';
import { layoutFor } from '../../io/terminal.ts';
import { openSeed } from './seed.ts';
import { openTls } from './tls.ts';

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
  if (faults !== '') io.stderr.write(`petstore mock: ${faults}\n`);
  const options = await readMockOptions(contract, wanted, io);
  const mock = openMock(contract, options, wanted, io);
  const { port, host, controlToken: token, controlCors: cors } = wanted;
  const conformance = createSuiteOpening(mock, options, io);
  const listening = await mock.listen({
    port,
    host,
    ...tls,
    control: { token, cors, conformance },
  });
  io.stdout.write(renderBanner(mock, listening, layoutFor(io).paint));
  if (!wanted.noWatch) {
    const { watchDocument } = await import('./watch.ts');
    await watchDocument(mock, wanted, io, since);
  }
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await listening.close();
}

/** How the document is to be mocked. */
async function readMockOptions(
  contract: Contract,
  wanted: MockArguments,
  io: CommandIo,
): Promise<MockOptions> {
  const { limits, banAfter, banSeconds, sandboxes } = wanted;
  const [seed, choices] = [await openSeed(wanted), await openChoices(contract, wanted, io)];
  return {
    choices,
    limits,
    ...seed,
    ...(sandboxes === undefined ? {} : { sandboxes }),
    ...(banAfter === undefined ? {} : { banAfter }),
    ...(banSeconds === undefined ? {} : { banSeconds }),
  };
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
      createCopy: copyMock(mock, options),
    };
    return new SuiteRuns({ mock: ordering, onRun, signal: io.signal });
  };
}

function openMock(
  contract: Contract,
  options: MockOptions,
  { log }: MockArguments,
  io: CommandIo,
): Mock {
  // Without a terminal each request is one line, for other programs.
  const layout = layoutFor(io, Number.POSITIVE_INFINITY);
  const onEntry = (entry: JournalEntry): void => {
    const line = log === 'json' ? renderEntryJson(entry) : renderEntry(entry, layout);
    io.stdout.write(`${line}\n`);
  };
  const onFault = (fault: unknown): void => {
    const told = fault instanceof Error ? fault.stack : String(fault);
    io.stderr.write(`petstore mock: ${told}\n`);
  };
  return createMock(contract, {
    ...options,
    ...(log === 'none' ? {} : { onEntry }),
    onFault,
  });
}

/** Choices that were observed, and before them those that are asked for. */
async function openChoices(
  contract: Contract,
  { like, choices }: MockArguments,
  io: CommandIo,
): Promise<Readonly<Record<string, string>>> {
  if (like === undefined) return choices;
  const { readLikeness } = await import('./like.ts');
  const likeness = await readLikeness(contract, like);
  for (const line of likeness.leftOut)
    io.stderr.write(`petstore mock: not taken from ${like}: ${line}\n`);
  return { ...likeness.choices, ...choices };
}
