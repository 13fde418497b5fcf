import { type LoadResult, startServer } from '../server/server.ts';
import { type AnswerResult, askOperations, askWithOptional } from './answers.ts';
import { createBench } from './bench.ts';
import { type ConformanceResult, conform } from './conformance.ts';
import { type PairRow, tryPairs } from './pairs.ts';

export interface MeasureSettings {
  readonly id: string;
  readonly file: string;
  readonly openapi: string;
  readonly conform: boolean;
}

/** What the measure of one document found, kept as JSON. */
export interface DocumentResult {
  readonly id: string;
  readonly openapi: string;
  /** `unfinished` until the process that measures has come to its end. */
  readonly state: 'measured' | 'unfinished' | 'crashed' | 'timed-out';
  readonly load?: LoadResult;
  /** Why the document could not be read here, and so nothing be asked. */
  readonly unread?: string;
  readonly answers?: AnswerResult;
  /** With every optional query parameter. */
  readonly optional?: AnswerResult;
  readonly pairs?: readonly PairRow[];
  readonly conformance?: ConformanceResult;
  /** Seconds that the whole measure took. */
  readonly seconds?: number;
}

/** Milliseconds that each part may take. */
const limits = { answers: 45_000, optional: 20_000, pairs: 15_000, conform: 60_000 };

/** Measures one document and yields the result again after each part, for a process that ends. */
export async function* measureDocument(
  settings: MeasureSettings,
): AsyncGenerator<DocumentResult, void> {
  const { id, file, openapi } = settings;
  const started = performance.now();
  let result: DocumentResult = { id, openapi, state: 'unfinished' };
  for await (const part of measureParts(file)) {
    result = { ...result, ...part };
    yield result;
  }
  if (settings.conform && result.load?.listens === true) {
    result = { ...result, conformance: await conform(file, limits.conform) };
    yield result;
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  yield { ...result, state: 'measured', seconds };
}

async function* measureParts(file: string): AsyncGenerator<Partial<DocumentResult>, void> {
  const { load, base, process } = await startServer(file);
  yield { load };
  if (base === undefined) return;
  try {
    yield* askServer(file, base);
  } catch (error) {
    yield { unread: String(error).slice(0, 300) };
  } finally {
    await process.stop();
  }
}

/** Asks a server that listens. Throws where the document cannot be read. */
export async function* askServer(
  file: string,
  base: string,
): AsyncGenerator<Partial<DocumentResult>, void> {
  const bench = await createBench(file, base);
  try {
    const seen = new Map<string, unknown>();
    yield { answers: await askOperations(bench, seen, limits.answers) };
    yield { optional: await askWithOptional(bench, seen, limits.optional) };
    yield { pairs: await tryPairs(bench, limits.pairs) };
  } finally {
    await bench.sender.close();
  }
}
