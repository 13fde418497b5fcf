import { once } from 'node:events';
import { joinShown, show, showLine, type VisibleText } from '../../page/view/visible.ts';
import { wrapWords } from '../../report/index.ts';
import type { TextLayout } from '../../report/text/layout.ts';
import { composeTrafficReport, startProxy, type TrafficFailure } from '../../traffic/index.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError } from '../io/command-failure.ts';
import { layoutFor, optimiseForSpeed } from '../io/command-io.ts';
import { whole } from '../options/flags.ts';
import { createReportCommand } from '../report/report-command.ts';
import { runFlags, trafficFlags } from '../options/run-flags.ts';

/** Milliseconds that requests in progress get when the proxy stops. */
const grace = 2000;

/**
 * `petstore proxy`: judges traffic as it passes. Exit code 0 conforms, 1 failed, 2 inconclusive.
 */
export const runProxy = createReportCommand(
  'server',
  {
    name: 'proxy',
    usage: '<target URL> [<openapi.yaml>] [options]',
    operands: ['target', 'contract'],
    description: [
      'Forwards requests to a server unchanged and checks every exchange. Prints each requirement when it first fails, and the whole report when stopped (Ctrl-C).',
    ],
    examples: [
      ['https://api.example.com/v1', 'Send your traffic to http://127.0.0.1:4020/v1 instead.'],
    ],
    page: 'traffic.md',
    flags: {
      target: {
        value: '<url>',
        help: 'Base URL of the server, with its version segment. Required.',
      },
      port: {
        ...whole(0, 65_535),
        default: '4020',
        help: 'Listen on this port, 0 for any free one.',
      },
      host: { value: '<address>', default: '127.0.0.1', help: 'Listen on this address.' },
      errors: {
        help: 'Refuse invalid requests instead of forwarding them, and return 502 with the findings instead of a response that breaks the contract. JSON is then held back until it is complete.',
      },
      insecure: runFlags.insecure,
      ...trafficFlags,
    },
  },
  async ({ values }, { contract, finish }, io) => {
    const { target, host, port, errors, insecure, requireTested } = values;
    if (target === undefined)
      throw argumentError(
        'Pass the address of the server: npx petstore-contract proxy https://api.example.com/v1.',
      );
    const waivers = await readWaiverFile(contract, values.waivers);
    const { signal } = io;
    const proxy = await startProxy(contract, {
      target,
      host,
      port,
      errors,
      verifyTls: !insecure,
      requireTested,
      onFailure: (failure) => void io.stdout.write(renderFailure(failure, layoutFor(io))),
    });
    const name = showLine(`${contract.title} ${contract.version}`);
    optimiseForSpeed();
    io.stdout.write(
      show`The proxy listens on ${showLine(proxy.baseUrl)} and forwards to ${showLine(proxy.target)}, checking the traffic against ${name}.\nCtrl-C stops it and prints the report.\n\n`,
    );
    if (!signal.aborted) await once(signal, 'abort');
    await proxy.close(grace);
    const found = proxy.sum();
    return await finish(
      composeTrafficReport(contract, proxy.target, found, { waivers, now: Date.now() }),
    );
  },
);

/** Prints a requirement when it first fails. */
function renderFailure(
  { requirement, expected, received, request, status }: TrafficFailure,
  { width, paint }: TextLayout,
): VisibleText {
  const title = requirement.level === 'must' ? paint.bad(show`FAILED`) : paint.quiet(show`ADVISED`);
  const subject =
    request === undefined ? 'several requests' : `${request}, ${status ?? 'no response'}`;
  const lines = [`expected ${expected}`, `received ${received}`].flatMap((line) =>
    wrapWords(showLine(line), width - 2).map((part) => show`  ${part}`),
  );
  return show`${title} ${showLine(requirement.id)}: ${showLine(subject)}\n${joinShown(lines, '\n')}\n\n`;
}
