import { ContractError, renderDocumentIssue, PetstoreError } from '../../contract/index.ts';
import type { CommandIo } from './command-io.ts';
import { tellError } from './terminal.ts';

/** An error of what a command was given, which a person can put right: one line. */
export function argumentError(message: string, cause?: unknown): PetstoreError {
  return new PetstoreError('argument', message, { cause });
}

/** Runs a command; an error becomes one line and exit code 2, an internal error too. */
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

/** Prints an internal error that does not end the program. */
export function tellFault(
  io: Pick<CommandIo, 'stderr' | 'env'>,
  name: string,
  error: unknown,
): void {
  tellError(io, name, explainFault(error, io.env));
}

/** Describes an internal error, with its stack if NODE_DEBUG asks for it. */
export function explainFault(error: unknown, env: CommandIo['env']): string {
  const isWanted = env['NODE_DEBUG']?.split(',').includes('petstore') === true;
  if (isWanted && error instanceof Error) return error.stack ?? error.message;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return oneLine(
    `internal error (${message.slice(0, 500)}). This is a bug in petstore; the result is not valid. Run it again with NODE_DEBUG=petstore, and report the output.`,
  );
}

/** Why a command could not go on, in one line; undefined for an internal error. */
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
        ? `No permission to use port ${port} of ${address}. Choose another with --port.`
        : `No permission to read ${path}.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine. Choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${hostname} cannot be resolved. Choose another with --host.`;
    case 'ENOENT':
      return `${path} does not exist.`;
    case 'EISDIR':
      return 'This is a folder, not a file.';
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
