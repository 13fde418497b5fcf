import { once } from 'node:events';
import type { Contract } from '../../../contract/index.ts';
import { type Mock, createMock } from '../../../mock/index.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { type MockArguments, mockForm, readMockArguments } from './options.ts';
import { renderBanner, renderFaults } from './banner.ts';
import { createCommand } from '../../io/command.ts';
import { openChoices } from './chosen.ts';
import { renderListening } from './listening.ts';
import { type RequestLog, createRequestLog } from './request-log.ts';
import { layoutFor, tellError } from '../../io/terminal.ts';
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
  if (faults !== '') tellError(io, 'mock', faults);
  const chosen = await openChoices(contract, wanted);
  for (const reason of chosen.like?.leftOut ?? [])
    tellError(io, 'mock', `not taken from ${wanted.like}: ${reason}`);
  const { mock, log } = await openMock(contract, { ...wanted, choices: chosen.choices }, io);
  const { port, host, controlToken: token, controlCors: cors } = wanted;
  const listening = await mock.listen({ port, host, ...tls, control: { token, cors } });
  io.stdout.write(
    wanted.log === 'json'
      ? `${renderListening(mock, listening, chosen)}\n`
      : renderBanner(mock, listening, chosen, layoutFor(io, bannerWidth)),
  );
  if (!wanted.noWatch) {
    const { watchDocument } = await import('./watch.ts');
    await watchDocument(mock, wanted, io, since);
  }
  if (!io.signal.aborted) await once(io.signal, 'abort');
  await listening.close();
  await log.end();
  if (wanted.log === 'json')
    io.stdout.write(`${JSON.stringify({ kind: 'closed', at: new Date().toISOString() })}\n`);
}

/** Where there is no terminal. */
const bannerWidth = 80;

async function openMock(
  contract: Contract,
  wanted: MockArguments,
  io: CommandIo,
): Promise<{ readonly mock: Mock; readonly log: RequestLog }> {
  const { limits, banAfter, banSeconds, sandboxes, choices, quiet } = wanted;
  const seed = await openSeed(wanted);
  // Without a terminal each request is one line, for other programs.
  const layout = layoutFor(io, Number.POSITIVE_INFINITY);
  const write = (line: string): void => void io.stdout.write(`${line}\n`);
  const log = createRequestLog(() => mock, { log: wanted.log, layout, write });
  const onFault = (fault: unknown): void => {
    const told = fault instanceof Error ? fault.stack : String(fault);
    io.stderr.write(`petstore mock: ${told}\n`);
  };
  const mock: Mock = createMock(contract, {
    choices,
    limits,
    ...seed,
    ...(sandboxes === undefined ? {} : { sandboxes }),
    ...(banAfter === undefined ? {} : { banAfter }),
    ...(banSeconds === undefined ? {} : { banSeconds }),
    ...(quiet ? {} : { onEntry: log.onEntry }),
    onFault,
  });
  return { mock, log };
}
