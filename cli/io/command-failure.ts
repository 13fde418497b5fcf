import { ContractError, renderDocumentIssue, PetstoreError } from '../../contract/index.ts';
import type { CommandIo } from './command-io.ts';
import { tellError } from './terminal.ts';

/** An error of what a command was given, which a person can put right: one line. */
export function argumentError(message: string, cause?: unknown): PetstoreError {
  return new PetstoreError('argument', message, { cause });
}

/** Runs a command; an error becomes one line and exit code 2, a fault of the program too. */
export async function guardCommand(
  name: string,
  io: CommandIo,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    tellError(io, name, explainFailure(error) ?? explainFault(error, io.env));
    return 2;
  }
}

/** Tells of a fault of the program that does not end it. */
export function tellFault(
  io: Pick<CommandIo, 'stderr' | 'env'>,
  name: string,
  error: unknown,
): void {
  tellError(io, name, explainFault(error, io.env));
}

/** What is said of a fault of the program. Its stack is for whoever mends it, and asks for it. */
export function explainFault(error: unknown, env: CommandIo['env']): string {
  const isWanted = env['NODE_DEBUG']?.split(',').includes('petstore') === true;
  if (isWanted && error instanceof Error) return error.stack ?? error.message;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return oneLine(
    `this is a fault of petstore itself, and nothing is proved by it (${message.slice(0, 500)}). Run it again with NODE_DEBUG=petstore, and report what it prints.`,
  );
}

/** Why a command could not go on, in one line; undefined for a fault of the program. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof ContractError) return explainDocument(error);
  if (error instanceof PetstoreError) return oneLine(error.message);
  return error instanceof Error ? explainSystem(error) : undefined;
}

function explainDocument({ issues: [first, ...more], message }: ContractError): string {
  if (first === undefined) return oneLine(message);
  return (
    oneLine(renderDocumentIssue(first)) + (more.length > 0 ? ` (and ${more.length} more)` : '')
  );
}

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

function explainSystem(error: SystemError): string | undefined {
  const { code, path, address, hostname, port } = error;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${address} is in use. Choose another with --port.`;
    case 'EACCES':
      return path === undefined
        ? `Port ${port} of ${address} may not be used. Choose another with --port.`
        : `${path} may not be read.`;
    case 'EADDRNOTAVAIL':
      return `${address} is no address of this machine. Choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${hostname} is not known here. Choose another with --host.`;
    case 'ENOENT':
      return `${path} does not exist.`;
    case 'EISDIR':
      return 'A folder was given where a file is wanted.';
    case undefined:
      return undefined;
    default:
      return oneLine(error.message);
  }
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
