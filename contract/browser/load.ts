import { compileDocument } from '../compile.ts';
import type { Contract } from '../contract.ts';
import type { ContractSource, LoadOptions } from '../load.ts';
import { repairDocument } from '../repair/repair.ts';
import { documentError, refuseFaults } from '../source/diagnostic.ts';
import { parseDocument } from '../source/text.ts';

export type { ContractSource, LoadOptions } from '../load.ts';

/**
 * `load.ts` for browsers: reads a single text. Throws a ContractError for any error or warning, like a
 * strict reading; a document in several files can only be read on Node.
 */
export async function loadContract(
  source: ContractSource,
  _options?: LoadOptions,
): Promise<Contract> {
  if (typeof source === 'string' || !('text' in source))
    throw documentError(
      'unreadable-file',
      typeof source === 'string' ? source : source.file,
      'a browser has no files: give the text of the document',
    );
  const { text, name = '<text>' } = source;
  const { document, log } = await parseDocument(text, name);
  repairDocument(document, log);
  const digest = await digestOf(text);
  const contract = compileDocument(document, log, { source: name, digest, judges: 'trusted' });
  refuseFaults(contract.diagnostics);
  return contract;
}

/** SHA-256 of the text, the same as on Node. */
async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  );
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
