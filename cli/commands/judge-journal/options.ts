import { PetstoreError } from '../../../contract/index.ts';
import { parseArgs } from 'node:util';
import { createParseFailure } from '../../io/argument.ts';

/** The command line of `petstore judge-journal`. */
export interface JudgeJournalArguments {
  /** Address of the mock, of which only the origin matters. */
  readonly mock: string;
  /** Name of a sandbox, or a key of one. */
  readonly sandbox: string;
  readonly token: string | undefined;
  /** A journal that was saved; undefined: that of the mock. */
  readonly journal: string | undefined;
  /** Undefined: the bundled document. */
  readonly contract: string | undefined;
  /** Folder for the report's files. */
  readonly report: string | undefined;
  readonly isQuiet: boolean;
  readonly wantsHelp: boolean;
}

export const judgeJournalHelp = `Usage: petstore judge-journal [options]

Judges a client by what it has sent to a mock that runs: by the journal of its sandbox, which has the last requests.

  --mock <url>         Address of the mock. Default: http://127.0.0.1:4010.
  --sandbox <name>     The sandbox of the client, such as alice; or a key, such as free_alice, of which alone the
                       requests are judged. Default: main, which the demo keys share with requests without a key.
  --token <token>      Token of the mock's control interface, where it was started with one.
  --journal <file>     Judges a journal that was saved in place of the mock's: what
                       GET /_mock/sandboxes/{sandbox}/journal answers.
  --contract <file>    OpenAPI document to judge by. Default: the bundled openapi.yaml.
  --report <folder>    Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder.
  --quiet              The verdict and the failures only.
  --help               This text.

Exit codes: 0 conforms, 1 failed, 2 is inconclusive.
`;

const OPTIONS = {
  mock: { type: 'string' },
  sandbox: { type: 'string' },
  token: { type: 'string' },
  journal: { type: 'string' },
  contract: { type: 'string' },
  report: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Parses the command line. Throws `PetstoreError`. */
export function parseJudgeJournalArguments(argv: readonly string[]): JudgeJournalArguments {
  const { mock, sandbox, token, journal, contract, report, quiet, help } = parse(argv);
  const asksMock = Object.entries({ mock, sandbox, token }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (journal !== undefined && asksMock !== undefined)
    throw new PetstoreError('argument', `--${asksMock} has no meaning with --journal.`);
  if (mock !== undefined && !/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
    throw new PetstoreError(
      'argument',
      `--mock must be an address such as http://127.0.0.1:4010, not "${mock}".`,
    );
  return {
    mock: mock ?? 'http://127.0.0.1:4010',
    sandbox: sandbox ?? 'main',
    token,
    journal,
    contract,
    report,
    isQuiet: quiet,
    wantsHelp: help,
  };
}

function parse(
  argv: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'] {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    throw createParseFailure('judge-journal', error);
  }
}
