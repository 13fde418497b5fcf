import { ContractError, renderDocumentIssue } from '../contract/index.ts';
import { GapError, LimitError, SeedError } from '../mock/index.ts';
import { ArgumentError } from './argument.ts';

/** Why the mock could not start, in one line that says what to put right; undefined for a fault of the program. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof ContractError) return explainDocument(error);
  const isExplained = [ArgumentError, SeedError, GapError, LimitError].some((kind) => error instanceof kind);
  if (error instanceof Error) return isExplained ? oneLine(error.message) : explainSystem(error);
  return undefined;
}

function explainDocument({ issues: [first, ...more], message }: ContractError): string {
  if (first === undefined) return oneLine(message);
  return oneLine(renderDocumentIssue(first)) + (more.length > 0 ? ` (and ${more.length} more)` : '');
}

type SystemError = Error & { readonly code?: string; readonly path?: string; readonly address?: string; readonly hostname?: string; readonly port?: number };

function explainSystem(error: SystemError): string | undefined {
  const { code, path, address, hostname, port } = error;
  switch (code) {
    case 'EADDRINUSE': return `Port ${port} of ${address} is in use. Choose another with --port.`;
    case 'EACCES': return path === undefined ? `Port ${port} of ${address} may not be used. Choose another with --port.` : `${path} may not be read.`;
    case 'EADDRNOTAVAIL': return `${address} is no address of this machine. Choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN': return `The name ${hostname} is not known here. Choose another with --host.`;
    case 'ENOENT': return `${path} does not exist.`;
    case 'EISDIR': return 'A folder was given where a file is wanted.';
    case undefined: return undefined;
    default: return oneLine(error.message);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
