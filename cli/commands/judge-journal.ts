import { basename } from 'node:path';
import {
  type ClientLog,
  composeClientReport,
  judgeClient,
  readJournalLog,
} from '../../client/index.ts';
import { createSender, type Report, type Sender } from '../../conformance/index.ts';
import { codec, type Contract, hasCode, suggestName } from '../../contract/index.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { parseInput, readJsonFile } from '../io/file.ts';
import {
  type CommandForm,
  type CommandLine,
  type FlagTable,
  type FlagValues,
  documentFlags,
} from '../options/flags.ts';
import { deliverReport, printReport, refuseReplacement } from '../io/report-files.ts';
import { reportFlags, runFlags } from '../options/run-flags.ts';
import { loadChosenContract } from '../package/bundled.ts';

const flags = {
  mock: { value: '<url>', help: 'Address of the mock. Default: http://127.0.0.1:4010.' },
  sandbox: {
    value: '<name>',
    help: 'Sandbox of the client, such as alice, or one key, such as free_alice. Default: main, the sandbox of the demo keys, together with no-key, the sandbox of requests without a valid key.',
  },
  token: {
    value: '<token>',
    help: 'Token of the control interface of the mock, if it has one.',
  },
  journal: {
    value: '<file>',
    help: 'Read a saved journal instead: the response of GET /_mock/sandboxes/{sandbox}/journal.',
  },
  contract: runFlags.contract,
  ...documentFlags,
  ...reportFlags,
} satisfies FlagTable;

/** Where a mock listens if nothing else is said. */
export const usualMock = 'http://127.0.0.1:4010';

const judgeJournalForm = {
  name: 'judge-journal',
  takes: '[<mock URL>] [options]',
  operands: ['mock'],
  about: [
    'Checks the requests that a client sent to a running mock. It reads them from the journal of the sandbox, which keeps the latest requests.',
  ],
  examples: [['--sandbox alice', 'Check the requests in the sandbox alice.']],
  page: 'clients.md',
  flags,
  exits: '0 conforms, 1 failed, 2 inconclusive',
  readsForeignFiles: true,
} satisfies CommandForm;

type JudgeJournalArguments = FlagValues<typeof flags> & {
  /** Address of the mock, of which only the origin matters. */
  readonly mock: string;
};

function readJudgeJournalArguments({
  values,
  typed,
}: CommandLine<typeof flags>): JudgeJournalArguments {
  const { mock, journal } = values;
  const asksMock = ['mock', 'sandbox', 'token'].find((name) => typed.has(name));
  if (journal !== undefined && asksMock !== undefined)
    throw argumentError(`--${asksMock} cannot be used with --journal.`);
  if (mock !== undefined && !/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
    throw argumentError(`--mock must be an address such as http://127.0.0.1:4010, not "${mock}".`);
  return { ...values, mock: mock ?? usualMock };
}

/** `petstore judge-journal`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudgeJournal = createCommand(judgeJournalForm, (line, io) =>
  judgeJournal(readJudgeJournalArguments(line), io),
);

/** Judges a client by the journal that the options name. Rejects with `PetstoreError`. */
export async function judgeJournal(wanted: JudgeJournalArguments, io: CommandIo): Promise<number> {
  await refuseReplacement(wanted, 'client');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const found = await findJournal(contract, wanted);
  if (found.log.exchanges.length === 0)
    throw argumentError(`There is nothing to judge: the journal of ${found.name} has no requests.`);
  const report = compose(contract, found, wanted.mock);
  printReport(report, contract, wanted, io);
  await deliverReport({ report, contract, folder: wanted.report }, io);
  return { conforms: 0, failed: 1, inconclusive: 2 }[report.outcome];
}

function compose(
  contract: Contract,
  { log, name, plan, isClockStill }: FoundJournal,
  mock: string,
): Report {
  const watched = { from: Infinity, to: -Infinity };
  for (const { sentAt, endedAt } of log.exchanges) {
    watched.from = Math.min(watched.from, sentAt, endedAt);
    watched.to = Math.max(watched.to, sentAt, endedAt);
  }
  const baseUrl = new URL(mock).origin + contract.basePath;
  const verdicts = judgeClient(contract, log, { scenarios: [], isClockStill });
  return composeClientReport(contract, { name, baseUrl, plan, watched }, log, verdicts);
}

interface FoundJournal {
  readonly log: ClientLog;
  /** Of its client, for people: its sandbox, or its file. */
  readonly name: string;
  /** Plan of the key; undefined where all keys of the sandbox are meant. */
  readonly plan: string | undefined;
  readonly isClockStill: boolean;
}

/** Finds the journal to judge by. Throws `PetstoreError`, or the system's error for the file. */
async function findJournal(
  contract: Contract,
  wanted: JudgeJournalArguments,
): Promise<FoundJournal> {
  return wanted.journal === undefined
    ? await askMock(contract, wanted)
    : await readSaved(contract, wanted.journal);
}

async function readSaved(contract: Contract, file: string): Promise<FoundJournal> {
  const log = await readJsonFile(file, 'a journal', (value) => readJournalLog(contract, value));
  return { log, name: basename(file), plan: undefined, isClockStill: false };
}

async function askMock(
  contract: Contract,
  { mock, sandbox: named, token }: JudgeJournalArguments,
): Promise<FoundJournal> {
  await using sender = createSender({
    timeout: patience,
    verifyTls: true,
    maxResponseBytes: mostBytes,
  });
  const ask: AskMock = async (shape, path) => await askFor(shape, path, { sender, mock, token });
  const names = (await ask(sandboxes, '/sandboxes')).map(({ name }) => name);
  const { sandbox, plan } = await findSandbox(ask, { names, text: named ?? 'main', mock });
  const readLogOf = async (one: string): Promise<ClientLog> => {
    const journal = await ask(codec.json, `${placeOf(one)}/journal`);
    try {
      return readJournalLog(contract, journal, plan);
    } catch (error) {
      if (!hasCode(error, 'journal', 'shape')) throw error;
      throw argumentError(`The journal of ${one} cannot be read: ${error.message}`, error);
    }
  };
  const { frozen: isClockStill } = await ask(clock, `${placeOf(sandbox)}/clock`);
  const log = await readLogOf(sandbox);
  const isKeylessToo = named === undefined && names.includes(keyless);
  const name = `${sandbox}${plan === undefined ? '' : ` (${plan})`}`;
  return {
    log: isKeylessToo ? mergeLogs(log, await readLogOf(keyless)) : log,
    name,
    plan,
    isClockStill,
  };
}

/** The sandbox of requests without a valid key: a client that forgets its key is seen there alone. */
const keyless = 'no-key';

function placeOf(sandbox: string): string {
  return `/sandboxes/${encodeURIComponent(sandbox)}`;
}

function mergeLogs(first: ClientLog, second: ClientLog): ClientLog {
  const exchanges = first.exchanges
    .concat(second.exchanges)
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((exchange, index) => ({ ...exchange, index }));
  return { ...first, exchanges };
}

/** Milliseconds for one response. */
const patience = 30_000;

/** A journal has the first 4,096 bytes of each body. */
const mostBytes = 64 * 1024 * 1024;

const sandboxes = codec.list(codec.openObject({ name: codec.text }));
const quotas = codec.list(codec.openObject({ plan: codec.text, key: codec.optional(codec.text) }));
const clock = codec.openObject({ frozen: codec.flag });
const refusal = codec.openObject({ message: codec.text });

/** Reads what an address of the control interface has. Throws `PetstoreError`. */
type AskMock = <Value>(shape: codec.Codec<Value>, path: string) => Promise<Value>;

interface Asked extends Pick<JudgeJournalArguments, 'mock' | 'token'> {
  readonly sender: Sender;
}

/** Anything may listen at the address of a mock. */
async function askFor<Value>(
  shape: codec.Codec<Value>,
  path: string,
  { sender, mock, token }: Asked,
): Promise<Value> {
  const outcome = await sender.send({
    url: `${new URL(mock).origin}/_mock${path}`,
    method: 'GET',
    headers: [
      ['accept', 'application/json'],
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ],
    body: undefined,
  });
  if (outcome.kind === 'no-response')
    throw argumentError(`No mock responds at ${mock}: ${outcome.error.message}.`);
  const { status, body } = outcome.response;
  try {
    const value = parseInput(body);
    if (status === 200) return shape.read(value, '');
    const { message } = refusal.read(value, '');
    throw argumentError(`The control interface of ${mock} refused: ${message.slice(0, 500)}`);
  } catch (error) {
    if (hasCode(error, 'argument')) throw error;
    throw argumentError(`The server at ${mock} is not a petstore mock.`, error);
  }
}

interface WantedSandbox {
  /** Of the sandboxes that the mock has. */
  readonly names: readonly string[];
  /** Name of a sandbox, or a key of one. */
  readonly text: string;
  readonly mock: string;
}

/** A sandbox by its name or a key. None is made: naming one that is not there would make it. */
async function findSandbox(
  ask: AskMock,
  { names, text, mock }: WantedSandbox,
): Promise<{ readonly sandbox: string; readonly plan: string | undefined }> {
  if (names.includes(text)) return { sandbox: text, plan: undefined };
  const sandbox = names.find((name) => text.endsWith(`_${name}`)) ?? 'main';
  const keys = await ask(quotas, `${placeOf(sandbox)}/quotas`);
  const quota = keys.find(({ key }) => key === text);
  if (quota !== undefined) return { sandbox, plan: quota.plan };
  const known = `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}`;
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  throw argumentError(
    `The mock at ${mock} has no sandbox or key "${text}"; ${known}${more}.${suggestName(text, names)}`,
  );
}
