import type { CommandForm, CommandLine, FlagTable, FlagValues } from '../../io/flags.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { reportFlags, runFlags } from '../../io/run-flags.ts';
import { argumentError } from '../../io/command-failure.ts';

const flags = {
  mock: { value: '<url>', help: 'Address of the mock. Default: http://127.0.0.1:4010.' },
  sandbox: {
    value: '<name>',
    help: 'The sandbox of the client, such as alice; or a key, such as free_alice, of which alone the requests are judged. Default: main, which the demo keys share, with the requests that had no valid key (the sandbox no-key).',
  },
  token: {
    value: '<token>',
    help: "Token of the mock's control interface, where it was started with one.",
  },
  journal: {
    value: '<file>',
    help: "Judges a journal that was saved in place of the mock's: the response of GET /_mock/sandboxes/{sandbox}/journal.",
  },
  contract: runFlags.contract,
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

/** Where a mock listens if nothing else is said. */
export const usualMock = 'http://127.0.0.1:4010';

export const judgeJournalForm = {
  name: 'judge-journal',
  takes: '[options]',
  about: [
    'Judges a client by what it has sent to a mock that runs: by the journal of its sandbox, which has the last requests.',
  ],
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive',
  readsForeignFiles: true,
} satisfies CommandForm;

export type JudgeJournalArguments = FlagValues<typeof flags> & {
  /** Address of the mock, of which only the origin matters. */
  readonly mock: string;
};

export function readJudgeJournalArguments({
  values,
  typed,
}: CommandLine<typeof flags>): JudgeJournalArguments {
  const { mock, journal } = values;
  const asksMock = ['mock', 'sandbox', 'token'].find((name) => typed.has(name));
  if (journal !== undefined && asksMock !== undefined)
    throw argumentError(`--${asksMock} has no meaning with --journal.`);
  if (mock !== undefined && !/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
    throw argumentError(`--mock must be an address such as http://127.0.0.1:4010, not "${mock}".`);
  return { ...values, mock: mock ?? usualMock };
}
