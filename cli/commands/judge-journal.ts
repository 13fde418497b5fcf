import { basename } from 'node:path';
import {
  type ClientLog,
  composeClientReport,
  judgeClient,
  readJournalLog,
} from '../../client/index.ts';
import { createSender, type Report, type Sender } from '../../conformance/index.ts';
import * as codec from '../../contract/json/codec.ts';
import type { Contract } from '../../contract/contract.ts';
import { largest, smallest } from '../../contract/list/list.ts';
import { unknownName } from '../../contract/error/unknown-name.ts';
import { argumentError } from '../io/command-failure.ts';
import { parseInput, readJsonFile } from '../io/file.ts';
import { createReportCommand } from '../report/report-command.ts';

/** Default address of the mock. */
const defaultMock = 'http://127.0.0.1:4010';

/** `petstore judge-journal`. Exit code 0 conforms, 1 failed, 2 inconclusive. */
export const runJudgeJournal = createReportCommand(
  'client',
  {
    name: 'judge-journal',
    usage: '[<mock URL>] [options]',
    operands: ['mock'],
    description: [
      'Checks the requests that a client sent to a running mock. It reads them from the journal of the sandbox, which keeps the latest requests.',
    ],
    examples: [['--sandbox alice', 'Check the requests in the sandbox alice.']],
    page: 'clients.md',
    flags: {
      mock: { value: '<url>', help: `Address of the mock. Default: ${defaultMock}.` },
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
    },
    readsForeignFiles: true,
  },
  async ({ values, typed }, { contract, finish }) => {
    const { mock = defaultMock, sandbox, token, journal } = values;
    const asksMock = ['mock', 'sandbox', 'token'].find((name) => typed.has(name));
    if (journal !== undefined && asksMock !== undefined)
      throw argumentError(`--${asksMock} cannot be used with --journal.`);
    if (!/^https?:$/.test(URL.parse(mock)?.protocol ?? ''))
      throw argumentError(`--mock must be an address such as ${defaultMock}, not "${mock}".`);
    if (journal === undefined)
      return await finish(await judgeSandbox(contract, sandbox, { mock, token }));
    const log = await readJsonFile(journal, 'a journal', (value) =>
      readJournalLog(contract, value),
    );
    return await finish(judgeLog(contract, log, { name: basename(journal), mock }));
  },
);

/** The client whose requests the journal has. */
interface Subject {
  /** Name of the client, for people. */
  readonly name: string;
  /** Only the origin of the mock is used. */
  readonly mock?: string;
  /** Plan of the key; undefined for all keys of the sandbox. */
  readonly plan?: string | undefined;
  readonly isClockStill?: boolean;
}

/** Judges a client by the requests in a journal. Throws `PetstoreError` if the journal is empty. */
function judgeLog(
  contract: Contract,
  log: ClientLog,
  { name, mock = defaultMock, plan, isClockStill = false }: Subject,
): Report {
  if (log.exchanges.length === 0)
    throw argumentError(`Nothing to judge: the journal of ${name} has no requests.`);
  const times = log.exchanges.flatMap(({ sentAt, endedAt }) => [sentAt, endedAt]);
  const baseUrl = new URL(mock).origin + contract.basePath;
  const verdicts = judgeClient(contract, log, { scenarios: [], isClockStill });
  const subject = { name, baseUrl, plan, from: smallest(times), to: largest(times) };
  return composeClientReport(contract, subject, log, verdicts);
}

/** The journal stores the first 4,096 bytes of each body. */
const senderOptions = { timeout: 30_000, verifyTls: true, maxResponseBytes: 64 * 1024 * 1024 };

/**
 * The sandbox of requests without a valid key. Requests of a client that forgets its key appear
 * only there.
 */
const keyless = 'no-key';

const sandboxes = codec.list(
  codec.openObject({
    name: codec.text,
    frozen: codec.flag,
    keys: codec.list(codec.openObject({ key: codec.text, plan: codec.text })),
  }),
);

interface MockAddress {
  readonly mock: string;
  readonly token: string | undefined;
}

/**
 * Judges the client of a sandbox, given by its name or by one of its keys. Rejects with
 * `PetstoreError`.
 */
async function judgeSandbox(
  contract: Contract,
  wanted: string | undefined,
  address: MockAddress,
): Promise<Report> {
  const { mock } = address;
  const named = wanted ?? 'main';
  await using sender = createSender(senderOptions);
  const known = await ask(sandboxes, '/sandboxes', sender, address);
  const names = known.map(({ name }) => name);
  // Only existing sandboxes are read, because asking for one creates it.
  const found =
    known.find(({ name }) => name === named) ??
    known.find(({ keys }) => keys.some(({ key }) => key === named));
  if (found === undefined)
    throw unknownName('argument', 'sandbox or key', named, names.slice(0, 20));
  const { name, keys, frozen: isClockStill } = found;
  const plan = name === named ? undefined : keys.find(({ key }) => key === named)?.plan;
  const journals = wanted === undefined && names.includes(keyless) ? [name, keyless] : [name];
  const journal: Reader<ClientLog> = { read: (value) => readJournalLog(contract, value, plan) };
  const exchanges = [];
  for (const each of journals) {
    const path = `/sandboxes/${encodeURIComponent(each)}/journal`;
    exchanges.push(...(await ask(journal, path, sender, address)).exchanges);
  }
  exchanges.sort((one, other) => one.sentAt - other.sentAt);
  const log = exchanges.map((exchange, index) => ({ ...exchange, index }));
  const title = plan === undefined ? name : `${name} (${plan})`;
  const subject = { name: title, mock, plan, isClockStill };
  return judgeLog(contract, { source: 'journal', exchanges: log }, subject);
}

type Reader<Value> = Pick<codec.Codec<Value>, 'read'>;

const refusal = codec.openObject({ message: codec.text });

/**
 * Reads a response of the control interface. Throws `PetstoreError`: any server may listen at that
 * address.
 */
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
