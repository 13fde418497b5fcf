import {
  type CertifyArguments,
  certifyFlags,
  readCertifyArguments,
} from '../../io/certify-flags.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  seconds,
  whole,
} from '../../io/flags.ts';
import { documentFlags } from '../../io/document-flags.ts';
import { reportFlags, runFlags } from '../../io/run-flags.ts';
import { argumentError } from '../../io/command-failure.ts';

const flags = {
  scenario: {
    value: '<id>',
    many: true,
    help: 'Runs only this scenario. May be repeated. Default: all.',
  },
  list: { help: 'Prints the scenarios, and runs nothing.' },
  jobs: {
    value: '<number>',
    read: whole(1, 100),
    help: 'Scenarios that run at the same time. Default: 6; 1 with --port.',
  },
  timeout: {
    value: '<seconds>',
    read: seconds,
    default: '30',
    help: 'Time for the command in each scenario; then it is ended. Default: 30.',
  },
  port: {
    value: '<number>',
    read: whole(1, 65_535),
    help: 'Port of the mock; scenarios then run one after another. Default: a free one for each.',
  },
  plan: { value: '<name>', help: 'Plan of the keys. Default: the first of the document.' },
  contract: runFlags.contract,
  ...documentFlags,
  showOutput: {
    help: "Prints the last lines of the command's output in each scenario, not only where something is wrong.",
  },
  ...reportFlags,
  ...certifyFlags,
} satisfies FlagTable;

export const certifyClientForm = {
  name: 'certify-client',
  takes: '[options] -- <command> [arguments]',
  about: [
    'Runs a client once per scenario against the mock, and judges it by what it sends. The command is run without a shell, and finds in its environment:',
    `  PETSTORE_BASE_URL    Base address of the service, another for each scenario.
  PETSTORE_API_KEY     The key to send, another for each scenario.
  PETSTORE_SCENARIO    Id of the scenario, for its own logs.`,
    'It is to do its usual work, such as list, add and list again, and to end with exit code 0 when that worked.',
  ],
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive',
} satisfies CommandForm;

export type CertifyClientArguments = Omit<FlagValues<typeof flags>, 'certify'> & {
  /** Words of the command to run; empty only with `--list`. */
  readonly command: readonly string[];
  readonly jobs: number;
  readonly certify: CertifyArguments | undefined;
};

/** Checks what the command line says before the mark `--`, after which `command` stands. Throws `PetstoreError`. */
export function readCertifyClientArguments(
  { values, typed, words: [word] }: CommandLine<typeof flags>,
  command: readonly string[],
): CertifyClientArguments {
  const { port, jobs = 6, scenario, list } = values;
  const example = 'as in petstore certify-client -- node client.js.';
  if (word !== undefined)
    throw argumentError(`"${word}" is no option. The command to run stands after --, ${example}`);
  if (command.length === 0 && !list)
    throw argumentError(`The command to run is missing: give it after --, ${example}`);
  if (port !== undefined && values.jobs !== undefined && jobs !== 1)
    throw argumentError('--port has room for one scenario at a time: leave it out, or --jobs.');
  return {
    ...values,
    command,
    scenario: scenario.includes('all') ? [] : scenario,
    jobs: port === undefined ? jobs : 1,
    certify: readCertifyArguments(values, typed),
  };
}
