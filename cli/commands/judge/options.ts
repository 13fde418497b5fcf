import { type CommandForm, type FlagTable, type FlagValues } from '../../io/flags.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { reportFlags, runFlags, trafficFlags } from '../../io/run-flags.ts';
import { argumentError } from '../../io/command-failure.ts';
import type { CommandLine } from '../../io/flags.ts';

const flags = {
  target: {
    value: '<url>',
    help: 'Base address of the service in the recording, with its version segment: only what is below it is judged. Default: a server of the document, else the address with most requests that the document describes.',
  },
  ...trafficFlags,
  contract: runFlags.contract,
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

export const judgeForm = {
  name: 'judge',
  takes: '<traffic.har> [options]',
  about: [
    'Judges a service by recorded traffic: an HTTP Archive of a browser, Playwright, k6, mitmproxy or --report. A journal of the mock is judged as petstore judge-journal does: the client by what it sent.',
  ],
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive: nothing to judge, or a wrong argument',
  readsForeignFiles: true,
} satisfies CommandForm;

export type JudgeArguments = FlagValues<typeof flags> & { readonly file: string };

/** Reads the line. Throws `PetstoreError` where it names no file, or several. */
export function readJudgeArguments({ values, words }: CommandLine<typeof flags>): JudgeArguments {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0)
    throw argumentError('Give one file to judge: petstore judge traffic.har.');
  return { ...values, file };
}
