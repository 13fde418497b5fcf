import { basename } from 'node:path';
import { type Contract, JsonSyntaxError, hasCode, suggestName } from '../../../contract/index.ts';
import { type ClientLog, readJournalLog } from '../../../client/index.ts';
import {
  type ControlClient,
  ControlError,
  createControlClient,
} from '../../../mock/control/client.ts';
import type { JudgeJournalArguments } from './options.ts';
import { argumentError } from '../../io/command-failure.ts';
import { parseInput, readInput } from '../../input/file.ts';

export interface FoundJournal {
  readonly log: ClientLog;
  /** Of its client, for people: its sandbox, or its file. */
  readonly name: string;
  /** Plan of the key; undefined where all keys of the sandbox are meant. */
  readonly plan: string | undefined;
  readonly isClockStill: boolean;
}

/** Finds the journal to judge by. Throws `PetstoreError`, or the system's error for the file. */
export async function findJournal(
  contract: Contract,
  wanted: JudgeJournalArguments,
): Promise<FoundJournal> {
  return wanted.journal === undefined
    ? await askMock(contract, wanted)
    : await readSaved(contract, wanted.journal);
}

async function readSaved(contract: Contract, file: string): Promise<FoundJournal> {
  const log = readLog(contract, await readInput(file), file);
  return { log, name: basename(file), plan: undefined, isClockStill: false };
}

async function askMock(
  contract: Contract,
  { mock, sandbox: text, token }: JudgeJournalArguments,
): Promise<FoundJournal> {
  const client = createControlClient(mock, token === undefined ? {} : { token });
  try {
    const { sandbox, plan } = await findSandbox(client, text, mock);
    const journal = JSON.stringify(await client.call('readJournal', { sandbox }));
    const { frozen: isClockStill } = await client.call('readClock', { sandbox });
    const log = readLog(contract, journal, `The journal of ${sandbox}`, plan);
    const name = `${sandbox}${plan === undefined ? '' : ` (${plan})`}`;
    return { log, name, plan, isClockStill };
  } catch (error) {
    throw explain(error, mock);
  }
}

/** A sandbox by its name or a key. None is made: naming one that is not there would make it. */
async function findSandbox(
  client: ControlClient,
  text: string,
  mock: string,
): Promise<{ readonly sandbox: string; readonly plan: string | undefined }> {
  const names = (await client.call('listSandboxes', {})).map(({ name }) => name);
  if (names.includes(text)) return { sandbox: text, plan: undefined };
  const sandbox = names.find((name) => text.endsWith(`_${name}`)) ?? 'main';
  const quota = (await client.call('listQuotas', { sandbox })).find(({ key }) => key === text);
  if (quota !== undefined) return { sandbox, plan: quota.plan };
  const known = `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 10).join(', ')}`;
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  throw argumentError(
    `The mock at ${mock} has no sandbox or key "${text}"; ${known}${more}.${suggestName(text, names)}`,
  );
}

function readLog(contract: Contract, text: string, name: string, plan?: string): ClientLog {
  try {
    return readJournalLog(contract, parseInput(text), plan);
  } catch (error) {
    if (hasCode(error, 'journal', 'shape') || error instanceof JsonSyntaxError)
      throw argumentError(`${name} cannot be read: ${error.message}`);
    throw error;
  }
}

/** `fetch` tells in the cause why nobody answered. */
function explain(error: unknown, mock: string): unknown {
  if (error instanceof ControlError)
    return argumentError(`The control interface of ${mock} refused: ${error.message}`);
  if (error instanceof SyntaxError)
    return argumentError(`What answers at ${mock} is no mock of this package.`);
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const reason = 'code' in error.cause ? String(error.cause.code) : error.cause.message;
  return argumentError(`No mock answers at ${mock} (${reason}).`);
}
