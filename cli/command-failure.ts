import { ContractError, renderDocumentIssue } from '../contract/index.ts';
import { ArgumentError } from './argument.ts';
import type { CommandIo } from './command-io.ts';

/** A kind of error that tells a person in its message what to put right. */
type ToldError = abstract new (...given: never[]) => Error;

/** Runs a command; an error that a person can put right becomes one line on stderr and exit code 2. Any other is thrown on. `told`: kinds of such errors that the command knows besides. */
export async function guardCommand(name: string, io: CommandIo, run: () => Promise<number>, told: readonly ToldError[] = []): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const line = explain(error, [ArgumentError, ...told]);
    if (line === undefined) throw error;
    io.stderr.write(`petstore ${name}: ${line}\n`);
    return 2;
  }
}

function explain(error: unknown, told: readonly ToldError[]): string | undefined {
  if (error instanceof ContractError) return error.issues[0] ? renderDocumentIssue(error.issues[0]) : error.message;
  if (error instanceof Error && told.some((kind) => error instanceof kind)) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Error && /^E[A-Z]+$/.test(code) ? error.message : undefined;
}
