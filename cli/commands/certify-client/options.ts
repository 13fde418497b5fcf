import { PetstoreError } from '../../../contract/index.ts';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import {
  CERTIFY_OPTIONS,
  type CertifyArguments,
  parseCertifyValues,
} from '../../io/certify-arguments.ts';
import { createParseFailure, parseWhole } from '../../io/argument.ts';

/** The command line of `petstore certify-client`, read and in range. */
export interface CertifyClientArguments {
  /** Words of the command to run; empty only with `--list` and `--help`. */
  readonly command: readonly string[];
  /** Undefined: a free one for each scenario. */
  readonly port: number | undefined;
  /** Ids; empty for all. */
  readonly scenarios: readonly string[];
  /** Scenarios that run at the same time. */
  readonly jobs: number;
  /** Milliseconds for each scenario. */
  readonly timeout: number;
  /** Undefined: the first of the document. */
  readonly plan: string | undefined;
  /** Undefined: the bundled document. */
  readonly contract: string | undefined;
  /** A certificate that is to be written; undefined for none. */
  readonly certify: CertifyArguments | undefined;
  /** Folder for the report's files. */
  readonly report: string | undefined;
  readonly showsOutput: boolean;
  readonly isQuiet: boolean;
  readonly wantsList: boolean;
  readonly wantsHelp: boolean;
}

export const certifyClientHelp = `Usage: petstore certify-client [options] -- <command> [arguments]

Runs a client once per scenario against the mock, and judges it by what it sends. The command is run without a
shell, and finds in its environment:

  PETSTORE_BASE_URL    Base address of the service, another for each scenario.
  PETSTORE_API_KEY     The key to send, another for each scenario.
  PETSTORE_SCENARIO    Id of the scenario, for its own logs.

It is to do its usual work, such as list, add and list again, and to end with exit code 0 when that worked.

  --scenario <id>      Runs only this scenario. May be repeated. Default: all.
  --list               Prints the scenarios, and runs nothing.
  --jobs <number>      Scenarios that run at the same time. Default: 6; 1 with --port.
  --timeout <seconds>  Time for the command in each scenario; then it is ended. Default: 30.
  --port <number>      Port of the mock; scenarios then run one after another. Default: a free one for each.
  --plan <name>        Plan of the keys. Default: the first of the document.
  --contract <file>    OpenAPI document to judge by. Default: the bundled openapi.yaml.
  --report <folder>    Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder.
  --certify            Writes certificate.json, certificate.html and badge.svg into the folder of --report, else into
                       this one. Exit code 0 then means that the certificate says "conforms".
  --target-name <name>, --target-version <version>
                       What the certificate calls the client. Needed for --certify.
  --sign <file>        Private key to sign the certificate with (petstore keygen). Default: it is unsigned.
  --show-output        Prints the last lines of the command's output in each scenario, not only where something is wrong.
  --quiet              The verdict and the failures only.
  --help               This text.

Exit codes: 0 conforms, 1 failed, 2 is inconclusive.
`;

const OPTIONS = {
  ...CERTIFY_OPTIONS,
  scenario: { type: 'string', multiple: true, default: [] },
  list: { type: 'boolean', default: false },
  jobs: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  port: { type: 'string' },
  plan: { type: 'string' },
  contract: { type: 'string' },
  report: { type: 'string' },
  'show-output': { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

/** Parses the command line. Throws `PetstoreError`. */
export function parseCertifyClientArguments(argv: readonly string[]): CertifyClientArguments {
  const mark = argv.indexOf('--');
  const command = mark === -1 ? [] : argv.slice(mark + 1);
  const {
    values,
    positionals: [word],
  } = parseValues(mark === -1 ? argv : argv.slice(0, mark));
  if (word !== undefined)
    throw new PetstoreError(
      'argument',
      `"${word}" is no option. The command to run stands after --, as in petstore certify-client -- node client.js.`,
    );
  if (command.length === 0 && !values.list && !values.help)
    throw new PetstoreError(
      'argument',
      'The command to run is missing: give it after --, as in petstore certify-client -- node client.js.',
    );
  if (values.port !== undefined && values.jobs !== undefined && values.jobs !== '1')
    throw new PetstoreError(
      'argument',
      '--port has room for one scenario at a time: leave it out, or --jobs.',
    );
  return {
    command,
    port: values.port === undefined ? undefined : parseWhole('--port', values.port, 1, 65_535),
    scenarios: values.scenario.includes('all') ? [] : values.scenario,
    jobs: values.port === undefined ? parseWhole('--jobs', values.jobs ?? '6', 1, 100) : 1,
    timeout: parseWhole('--timeout', values.timeout, 1, 3600) * 1000,
    plan: values.plan,
    contract: values.contract,
    certify: values.help ? undefined : parseCertifyValues(values),
    report: values.report,
    showsOutput: values['show-output'],
    isQuiet: values.quiet,
    wantsList: values.list,
    wantsHelp: values.help,
  };
}

function parseValues(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw createParseFailure('certify-client', error);
  }
}
