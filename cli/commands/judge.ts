import { parseBaseUrl } from '../../conformance/index.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  composeTrafficReport,
  TrafficJudge,
  inferBaseUrl,
  loadAttachedBodies,
  readHarValue,
  type RecordedExchange,
  showsCredentials,
} from '../../traffic/index.ts';
import { readWaiverFile } from '../conformance/waiver-file.ts';
import { argumentError } from '../io/command-failure.ts';
import { readJsonFile } from '../io/file.ts';
import { createReportCommand } from '../report/report-command.ts';
import { trafficFlags } from '../options/run-flags.ts';

/** `petstore judge`: judges recorded traffic. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudge = createReportCommand(
  'server',
  {
    name: 'judge',
    usage: '<traffic.har> [options]',
    description: [
      'Checks recorded traffic against the document: an HTTP Archive (HAR) from a browser, Playwright, k6, mitmproxy or conform --report.',
    ],
    examples: [['traffic.har --contract my.yaml', 'Check the traffic in a HAR file.']],
    page: 'traffic.md',
    flags: {
      target: {
        value: '<url>',
        help: 'Base URL of the service in the recording; only requests below it are checked. Default: a server of the document, else the address with the most requests that the document describes.',
      },
      ...trafficFlags,
    },
    readsForeignFiles: true,
  },
  async ({ values, words: [file = ''] }, { contract, finish }) => {
    const { target, waivers, requireTested } = values;
    const recorded = await readJsonFile(file, 'an HTTP Archive', async (value) =>
      readHarValue(value, await loadAttachedBodies(value, file)),
    );
    const baseUrl =
      target === undefined ? findBaseUrl(contract, recorded, file) : parseBaseUrl(target);
    const judge = new TrafficJudge(contract, {
      baseUrl,
      showsCredentials: showsCredentials(contract, recorded),
      requireTested,
    });
    for (const exchange of recorded) judge.take(exchange);
    const report = composeTrafficReport(contract, baseUrl, judge.sum(), {
      waivers: await readWaiverFile(contract, waivers),
      now: Date.now(),
    });
    return await finish(report);
  },
);

function findBaseUrl(
  contract: Contract,
  exchanges: readonly RecordedExchange[],
  file: string,
): string {
  if (exchanges.length === 0) throw argumentError(`Nothing to judge: ${file} is empty.`);
  const found = inferBaseUrl(contract, exchanges);
  if (found !== undefined) return found;
  const origins = exchanges.map(
    ({ request: { url } }) => URL.parse(url)?.origin ?? url.slice(0, 40),
  );
  const some = [...new Set(origins)].slice(0, 5).join(', ');
  throw argumentError(
    `${file} has no request that ${contract.title} ${contract.version} describes; it has requests to ${some}. Pass the base URL with --target, or another document with --contract.`,
  );
}
