import { compileDocument } from '../compile.ts';
import { documentError } from '../source/contract-error.ts';
import { createDiagnosticLog } from '../source/diagnostic-log.ts';
import { createOrigins, type SourceText } from '../source/origin.ts';
import { parseDocumentText } from '../source/text.ts';
import { repairDocument } from '../repair/repair.ts';
import { refuseIssues } from '../source/issue-log.ts';
import type { Contract } from '../contract.ts';
import type { ContractSource, LoadOptions } from '../load.ts';

export type { ContractSource, LoadOptions, PassedDocument } from '../load.ts';

/**
 * `load.ts` in a browser, for OpenAPI 3 texts in one file. Throws a ContractError for any error or
 * warning, as a strict reading does; a document in parts or in Swagger 2.0 is read on Node.
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
  const root: SourceText = { name, locate: () => ({ line: 1, column: 1 }) };
  const origins = createOrigins(root);
  const log = createDiagnosticLog(origins, root);
  repairDocument(document, origins, log, new Map());
  const { contract } = compileDocument(document, {
    source: name,
    digest: await digestOf(text),
    judges: 'trusted',
    tolerance: {
      tell: (pointer, finding) => log.report(document, pointer, finding),
      diagnostics: log.list,
    },
  });
  refuseIssues(contract.diagnostics.filter(({ level }) => level !== 'hint'));
  return contract;
}

/** SHA-256 of the text, as on a machine with files. */
async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  );
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
