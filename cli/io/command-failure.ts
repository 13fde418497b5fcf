import { ContractError, renderRefusal } from '../../contract/source/diagnostic.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import type { CommandIo } from './command-io.ts';

/** An error in the user's input, which the user can correct. One line. */
export function argumentError(message: string, cause?: unknown): PetstoreError {
  return new PetstoreError('argument', message, { cause });
}

/** Why a command failed, in one line. Internal errors include the stack if NODE_DEBUG is set. */
export function explainError(error: unknown, env: CommandIo['env']): string {
  const reason = error instanceof Error ? explainInput(error) : undefined;
  if (reason !== undefined) return joinLines(reason);
  const isWanted = env['NODE_DEBUG']?.split(',').includes('petstore') === true;
  if (isWanted && error instanceof Error) return error.stack ?? error.message;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return joinLines(
    `internal error (${message.slice(0, 500)}). This is a bug in petstore; the result is not valid. Run it again with NODE_DEBUG=petstore, and report the output.`,
  );
}

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** Explains an error of the input or the system; undefined for an internal error. */
function explainInput(error: SystemError): string | undefined {
  if (error instanceof ContractError) {
    const [first, ...more] = error.diagnostics;
    const issue = first === undefined ? error.message : renderRefusal(first);
    return more.length === 0 ? issue : `${issue} (and ${more.length} more)`;
  }
  if (error instanceof PetstoreError) return error.message;
  const { code, path, address, hostname, port } = error;
  switch (code ?? '') {
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
    default:
      return code === undefined ? undefined : error.message;
  }
}

function joinLines(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
