import { compileDocument } from '../compile.ts';
import { documentError } from '../source/contract-error.ts';
import { parseDocumentText } from '../source/text.ts';
import { refuseIssues } from '../source/issue-log.ts';
import type { Contract } from '../contract.ts';
import type { ContractSource, LoadOptions } from '../load.ts';

export type { ContractSource, LoadOptions, PassedDocument } from '../load.ts';

/**
 * `load.ts` in a browser, for texts that passed before. Throws a ContractError.
 */
export async function loadContract(
  source: ContractSource,
  _options?: LoadOptions,
): Promise<Contract> {
  if (typeof source === 'string' || !('text' in source))
    throw documentError(
      typeof source === 'string' ? source : source.file,
      'a browser has no files: give the text of the document',
    );
  const { text, name = '<text>' } = source;
  const document = await parseDocumentText(text, name);
  const { contract, errors } = compileDocument(document, {
    source: name,
    digest: await digestOf(text),
    judges: 'trusted',
  });
  refuseIssues(errors);
  return contract;
}

/** SHA-256 of the text, as on a machine with files. */
async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  );
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
