import { once } from 'node:events';
import { wrapWords } from '../../report/index.ts';
import { composeTrafficReport, startProxy, type TrafficFailure } from '../../traffic/index.ts';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type FlagTable, whole } from '../options/flags.ts';
import { refuseReplacement } from '../io/report-files.ts';
import { createReportCommand } from '../options/report-command.ts';
import { runFlags, trafficFlags } from '../options/run-flags.ts';
import { layoutFor } from '../io/terminal.ts';

const flags = {
  target: {
    value: '<url>',
    help: 'Base URL of the server, with its version segment. Required.',
  },
  port: {
    ...whole(0, 65_535),
    default: '4020',
    help: 'Listen on this port, 0 for any free one.',
  },
  host: {
    value: '<address>',
    default: '127.0.0.1',
    help: 'Listen on this address.',
  },
  errors: {
    help: 'Return 502 with the findings instead of a response that breaks the contract. JSON responses are then held back until they are complete.',
  },
  insecure: runFlags.insecure,
  ...trafficFlags,
} satisfies FlagTable;

const proxyForm = {
  name: 'proxy',
  takes: '<target URL> [<openapi.yaml>] [options]',
  operands: ['target', 'contract'],
  about: [
    'Forwards requests to a server unchanged and checks every exchange. Prints each requirement when it first fails, and the whole report when stopped (Ctrl-C).',
  ],
  examples: [
    ['https://api.example.com/v1', 'Send your traffic to http://127.0.0.1:4020/v1 instead.'],
  ],
  page: 'traffic.md',
  flags,
} as const;

/** Milliseconds that requests under way have at the end. */
const grace = 2000;

/** `petstore proxy`: judges traffic on its way. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runProxy = createReportCommand(proxyForm, async (line, { contract, finish }, io) => {
  const { values } = line;
  const { target, host, port, errors, insecure, requireTested } = values;
  if (target === undefined)
    throw argumentError(
      'Give the address of the server: npx petstore-contract proxy https://api.example.com/v1.',
    );
  await refuseReplacement(values, 'server');
  const waivers = await readWaiverFile(contract, values.waivers);
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
    show`The proxy listens on ${showLine(proxy.baseUrl)} and forwards to ${showLine(proxy.target)}, checking the traffic against ${name}.\nCtrl-C stops it and prints the report.\n\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  await proxy.close(grace);
  const report = composeTrafficReport(contract, proxy.target, proxy.judge.sum(), {
    waivers,
    now: Date.now(),
  });
  return await finish(report);
});

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
