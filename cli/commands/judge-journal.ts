import { basename } from 'node:path';
import {
  type ClientLog,
  composeClientReport,
  judgeClient,
  readJournalLog,
} from '../../client/index.ts';
import { createSender, type Sender } from '../../conformance/index.ts';
import {
  codec,
  type Contract,
  hasCode,
  largest,
  smallest,
  suggestName,
} from '../../contract/index.ts';
import { argumentError } from '../io/command-failure.ts';
import type { CommandIo } from '../io/command-io.ts';
import { createCommand } from '../options/command.ts';
import { parseInput, readJsonFile } from '../io/file.ts';
import {
  type CommandForm,
  type FlagTable,
  type FlagValues,
  documentFlags,
} from '../options/flags.ts';
import { finishReport, refuseReplacement } from '../io/report-files.ts';
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

/** What names the client. `judge` gives a file alone. */
interface Wanted extends Pick<
  FlagValues<typeof flags>,
  'contract' | 'strict' | 'allowFolder' | 'overlay' | 'allowNetwork' | 'report' | 'force' | 'quiet'
> {
  /** Address of the mock, of which only the origin matters. */
  readonly mock?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly token?: string | undefined;
  readonly journal?: string | undefined;
}

/** `petstore judge-journal`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudgeJournal = createCommand(judgeJournalForm, ({ values, typed }, io) => {
  const { mock, journal } = values;
  const asksMock = ['mock', 'sandbox', 'token'].find((name) => typed.has(name));
  if (journal !== undefined && asksMock !== undefined)
    throw argumentError(`--${asksMock} cannot be used with --journal.`);
  if (mock !== undefined && !/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
    throw argumentError(`--mock must be an address such as ${usualMock}, not "${mock}".`);
  return judgeJournal('judge-journal', values, io);
});

/** Where a mock listens if nothing else is said. */
const usualMock = 'http://127.0.0.1:4010';

/** Judges a client by the journal that the options name. Rejects with `PetstoreError`. */
export async function judgeJournal(
  command: string,
  wanted: Wanted,
  io: CommandIo,
): Promise<number> {
  await refuseReplacement(wanted, 'client');
  const contract = await loadChosenContract(wanted.contract, wanted);
  const { journal, mock = usualMock } = wanted;
  const found =
    journal === undefined
      ? await askMock(contract, wanted, mock)
      : {
          log: await readJsonFile(journal, 'a journal', (value) => readJournalLog(contract, value)),
          name: basename(journal),
          plan: undefined,
          isClockStill: false,
        };
  const { log, name, plan, isClockStill } = found;
  if (log.exchanges.length === 0)
    throw argumentError(`There is nothing to judge: the journal of ${name} has no requests.`);
  const times = log.exchanges.flatMap(({ sentAt, endedAt }) => [sentAt, endedAt]);
  const watched = { from: smallest(times), to: largest(times) };
  const baseUrl = new URL(mock).origin + contract.basePath;
  const verdicts = judgeClient(contract, log, { scenarios: [], isClockStill });
  const subject = { name, baseUrl, plan, watched };
  const report = composeClientReport(contract, subject, log, verdicts);
  return await finishReport(command, report, contract, wanted, io);
}

interface FoundJournal {
  readonly log: ClientLog;
  /** Of its client, for people. */
  readonly name: string;
  /** Plan of the key; undefined where all keys of the sandbox are meant. */
  readonly plan: string | undefined;
  readonly isClockStill: boolean;
}

/** Milliseconds for one response. */
const timeout = 30_000;

/** A journal has the first 4,096 bytes of each body. */
const maxResponseBytes = 64 * 1024 * 1024;

/** The sandbox of requests without a valid key: a client that forgets its key is seen there alone. */
const keyless = 'no-key';

const sandboxes = codec.list(codec.openObject({ name: codec.text }));
const quotas = codec.list(codec.openObject({ plan: codec.text, key: codec.optional(codec.text) }));
const clock = codec.openObject({ frozen: codec.flag });
const refusal = codec.openObject({ message: codec.text });

/** Reads the journal of a running mock. Rejects with `PetstoreError`. */
async function askMock(
  contract: Contract,
  { sandbox: named, token }: Wanted,
  mock: string,
): Promise<FoundJournal> {
  await using sender = createSender({ timeout, verifyTls: true, maxResponseBytes });
  const ask: AskMock = (shape, path) => askFor(shape, path, { sender, mock, token });
  const names = (await ask(sandboxes, '/sandboxes')).map(({ name }) => name);
  const { sandbox, plan } = await findSandbox(ask, names, named ?? 'main', mock);
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
  const logs = [await readLogOf(sandbox)];
  if (named === undefined && names.includes(keyless)) logs.push(await readLogOf(keyless));
  const exchanges = logs
    .flatMap((log) => log.exchanges)
    .toSorted((a, b) => a.sentAt - b.sentAt)
    .map((exchange, index) => ({ ...exchange, index }));
  const name = `${sandbox}${plan === undefined ? '' : ` (${plan})`}`;
  return { log: { source: 'journal', exchanges }, name, plan, isClockStill };
}

function placeOf(sandbox: string): string {
  return `/sandboxes/${encodeURIComponent(sandbox)}`;
}

/** Reads what an address of the control interface has. Throws `PetstoreError`. */
type AskMock = <Value>(shape: codec.Codec<Value>, path: string) => Promise<Value>;

interface Asked {
  readonly sender: Sender;
  readonly mock: string;
  readonly token: string | undefined;
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

/** A sandbox by its name or a key. None is made: naming one that is not there would make it. */
async function findSandbox(
  ask: AskMock,
  names: readonly string[],
  text: string,
  mock: string,
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
