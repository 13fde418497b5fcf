import { join } from 'node:path';
import type { DocumentResult } from '../measure/result.ts';
import type { ServerName } from '../server/server.ts';
import type { CorpusDocument } from './manifest.ts';
import { readResult } from './results.ts';
import { runDocument } from './run-document.ts';

export interface RunSettings {
  /** Where results are kept, a file for each document and server. */
  readonly results: string;
  readonly server: ServerName;
  /** Documents that are measured at the same time. */
  readonly jobs: number;
  /** Seconds that one document may take. */
  readonly limit: number;
  readonly conform: boolean;
  readonly fullBudget: boolean;
  /** Measures documents again that have a result. */
  readonly fresh: boolean;
  readonly onResult: (result: DocumentResult) => void;
}

/** The results of all documents, in their order. */
export async function runCorpus(
  documents: readonly CorpusDocument[],
  settings: RunSettings,
): Promise<readonly DocumentResult[]> {
  const results: DocumentResult[] = [];
  const waiting = [...documents.entries()].values();
  const work = async (): Promise<void> => {
    for (const [index, document] of waiting) {
      results[index] = await resultOf(document, settings);
    }
  };
  await Promise.all(Array.from({ length: settings.jobs }, work));
  return results;
}

async function resultOf(
  { id, file: document, openapi }: CorpusDocument,
  { results, server, limit, conform, fullBudget, fresh, onResult }: RunSettings,
): Promise<DocumentResult> {
  const file = join(results, server, `${id}.json`);
  const kept = fresh ? undefined : await readResult(file);
  if (kept !== undefined && kept.state !== 'unfinished') return kept;
  const wish = { id, file: document, openapi, server, conform, fullBudget };
  const result = await runDocument(wish, file, limit);
  onResult(result);
  return result;
}
