import { basename } from 'node:path';
import {
  type ClientLog,
  composeClientReport,
  judgeClient,
  readJournalLog,
} from '../../client/index.ts';
import { createSender, type Report, type Sender } from '../../conformance/index.ts';
import {
  codec,
  type Contract,
  type JsonValue,
  largest,
  smallest,
  suggestName,
} from '../../contract/index.ts';
import { argumentError } from '../io/command-failure.ts';
import { parseInput, readJsonFile } from '../io/file.ts';
import type { FlagTable } from '../options/flags.ts';
import { refuseReplacement } from '../io/report-files.ts';
import { createReportCommand } from '../options/report-command.ts';

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
  readsForeignFiles: true,
} as const;

/** `petstore judge-journal`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudgeJournal = createReportCommand(judgeJournalForm, async (line, reporting) => {
  const { values, typed } = line;
  const { contract, finish } = reporting;
  const { mock = usualMock, journal } = values;
  const asksMock = ['mock', 'sandbox', 'token'].find((name) => typed.has(name));
  if (journal !== undefined && asksMock !== undefined)
    throw argumentError(`--${asksMock} cannot be used with --journal.`);
  if (!/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
    throw argumentError(`--mock must be an address such as ${usualMock}, not "${mock}".`);
  await refuseReplacement(values, 'client');
  const found =
    journal === undefined
      ? await readMockJournal(contract, values.sandbox, { ...values, mock })
      : {
          log: await readJsonFile(journal, 'a journal', (value) => readJournalLog(contract, value)),
          name: basename(journal),
        };
  return await finish(judgeLog(contract, found, mock));
});

/** Where a mock listens if nothing else is said. */
const usualMock = 'http://127.0.0.1:4010';

interface FoundJournal {
  readonly log: ClientLog;
  /** Of its client, for people. */
  readonly name: string;
  /** Plan of the key; undefined where all keys of the sandbox are meant. */
  readonly plan?: string | undefined;
  readonly isClockStill?: boolean;
}

/**
 * Judges a client by its requests in the journal of a mock, of whose address only the origin matters.
 * Throws `PetstoreError` for an empty journal.
 */
export function judgeLog(
  contract: Contract,
  { log, name, plan, isClockStill = false }: FoundJournal,
  mock = usualMock,
): Report {
  if (log.exchanges.length === 0)
    throw argumentError(`There is nothing to judge: the journal of ${name} has no requests.`);
  const times = log.exchanges.flatMap(({ sentAt, endedAt }) => [sentAt, endedAt]);
  const watched = { from: smallest(times), to: largest(times) };
  const baseUrl = new URL(mock).origin + contract.basePath;
  const verdicts = judgeClient(contract, log, { scenarios: [], isClockStill });
  return composeClientReport(contract, { name, baseUrl, plan, watched }, log, verdicts);
}

/** Milliseconds for one response. */
const timeout = 30_000;

/** A journal has the first 4,096 bytes of each body. */
const maxResponseBytes = 64 * 1024 * 1024;

/** The sandbox of requests without a valid key: a client that forgets its key is seen there alone. */
const keyless = 'no-key';

type Reader<Value> = Pick<codec.Codec<Value>, 'read'>;

const sandboxes = codec.list(codec.openObject({ name: codec.text }));
const quotas = codec.list(codec.openObject({ plan: codec.text, key: codec.optional(codec.text) }));
const clock = codec.openObject({ frozen: codec.flag });
const refusal = codec.openObject({ message: codec.text });

interface MockAddress {
  readonly mock: string;
  readonly token?: string | undefined;
}

/** Reads the journal of a sandbox, named by itself or by a key of it. Rejects with `PetstoreError`. */
async function readMockJournal(
  contract: Contract,
  named: string | undefined,
  address: MockAddress,
): Promise<FoundJournal> {
  await using sender = createSender({ timeout, verifyTls: true, maxResponseBytes });
  const names = (await ask(sandboxes, '/sandboxes', sender, address)).map(({ name }) => name);
  const text = named ?? 'main';
  // No other is asked: naming a sandbox that does not exist would make it.
  const isName = names.includes(text);
  const sandbox = isName ? text : (names.find((name) => text.endsWith(`_${name}`)) ?? 'main');
  const askAbout = <Value>(shape: Reader<Value>, part: string, one = sandbox): Promise<Value> =>
    ask(shape, `/sandboxes/${encodeURIComponent(one)}/${part}`, sender, address);
  const keys = isName ? [] : await askAbout(quotas, 'quotas');
  const plan = keys.find(({ key }) => key === text)?.plan;
  if (!isName && plan === undefined) {
    const known = `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}`;
    const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
    throw argumentError(
      `The mock at ${address.mock} has no sandbox or key "${text}"; ${known}${more}.${suggestName(text, names)}`,
    );
  }
  const { frozen: isClockStill } = await askAbout(clock, 'clock');
  const journal = {
    read: (value: JsonValue) => readJournalLog(contract, value, plan).exchanges,
  };
  const exchanges = [...(await askAbout(journal, 'journal'))];
  if (named === undefined && names.includes(keyless))
    exchanges.push(...(await askAbout(journal, 'journal', keyless)));
  exchanges.sort((one, other) => one.sentAt - other.sentAt);
  return {
    log: {
      source: 'journal',
      exchanges: exchanges.map((exchange, index) => ({ ...exchange, index })),
    },
    name: plan === undefined ? sandbox : `${sandbox} (${plan})`,
    plan,
    isClockStill,
  };
}

/** Reads a response of the control interface. Throws `PetstoreError`: anything may listen there. */
async function ask<Value>(
  shape: Reader<Value>,
  path: string,
  sender: Sender,
  { mock, token }: MockAddress,
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
  let reason = '';
  try {
    const value = parseInput(body);
    if (status === 200) return shape.read(value, '');
    reason = refusal.read(value, '').message.slice(0, 500);
  } catch (error) {
    throw argumentError(`The server at ${mock} is not a petstore mock.`, error);
  }
  throw argumentError(`The control interface of ${mock} refused: ${reason}`);
}
