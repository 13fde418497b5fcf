import { once } from 'node:events';
import { composeTrafficReport, startProxy, type TrafficFailure } from '../../../traffic/index.ts';
import { wrapWords } from '../../../report/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../../view/visible.ts';
import { readWaiverFile } from '../../conformance/waiver-file.ts';
import { createCommand } from '../../io/command.ts';
import type { CommandIo } from '../../io/command-io.ts';
import { refuseReplacement } from '../../io/replacement.ts';
import { deliverReport, printReport, tryWriting } from '../../io/report-files.ts';
import { layoutFor } from '../../io/terminal.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { type ProxyArguments, proxyForm, readProxyArguments } from './options.ts';

/** `petstore proxy`: judges traffic on its way. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runProxy = createCommand(proxyForm, ({ values }, io) =>
  run(readProxyArguments(values), io),
);

/** Milliseconds that requests under way have at the end. */
const grace = 2000;

async function run(wanted: ProxyArguments, io: CommandIo): Promise<number> {
  await refuseReplacement(wanted, 'server');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const waivers =
    wanted.waivers === undefined ? [] : await readWaiverFile(contract, wanted.waivers);
  const { target, host, port, errors, insecure, requireTested } = wanted;
  const { signal } = io;
  const proxy = await startProxy(contract, {
    target,
    host,
    port,
    errors,
    verifyTls: !insecure,
    requireTested,
    onFailure: (failure) => {
      io.stdout.write(renderFailure(failure, io));
    },
  });
  const name = showLine(`${contract.title} ${contract.version}`);
  io.stdout.write(
    show`The proxy listens on ${showLine(proxy.baseUrl)} and passes all to ${showLine(proxy.target)}, judged by ${name}.\nCtrl-C ends it and tells what was found.\n\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  await proxy.close(grace);
  const report = composeTrafficReport(contract, proxy.target, proxy.judge.sum(), {
    waivers,
    now: Date.now(),
  });
  printReport(report, contract, wanted, io);
  const deliver = (): Promise<void> =>
    deliverReport({ report, contract, folder: wanted.report }, io);
  if (!(await tryWriting('proxy', io, deliver))) return 2;
  return { conforms: 0, failed: 1, inconclusive: 2 }[report.outcome];
}

/** A requirement that fails first, as it happens. */
function renderFailure(
  { requirement, expected, received, request, status }: TrafficFailure,
  io: CommandIo,
): VisibleText {
  const { width, paint } = layoutFor(io);
  const title = requirement.level === 'must' ? paint.bad(show`FAILED`) : paint.quiet(show`ADVISED`);
  const subject =
    request === undefined ? 'several requests' : `${request}, ${status ?? 'no response'}`;
  const lines = [
    show`expected ${showLine(expected)}`,
    show`received ${showLine(received)}`,
  ].flatMap((line) => wrapWords(line, width - 2).map((part) => show`  ${part}`));
  return show`${title} ${showLine(requirement.id)}: ${showLine(subject)}\n${joinShown(lines, '\n')}\n\n`;
}
