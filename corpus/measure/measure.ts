import { memoryOf } from '../server/memory.ts';
import { refersToNetwork, type ServerName, startServer } from '../server/server.ts';
import { askOperations, askWithOptional } from './answers.ts';
import { createBench } from './bench.ts';
import { conform } from './conformance.ts';
import { tryPairs } from './pairs.ts';
import type { DocumentResult } from './result.ts';

export interface MeasureSettings {
  readonly id: string;
  readonly file: string;
  readonly openapi: string;
  readonly server: ServerName;
  readonly conform: boolean;
  readonly fullBudget: boolean;
}

/** Milliseconds that each part may take. */
const limits = { answers: 45_000, optional: 20_000, pairs: 15_000, conform: 60_000, full: 180_000 };
/** More requests than any plan needs. */
const wholePlan = 100_000;

/** Measures one document and yields the result again after each part, for a process that ends. */
export async function* measureDocument(
  settings: MeasureSettings,
): AsyncGenerator<DocumentResult, void> {
  const { id, file, openapi, server } = settings;
  const started = performance.now();
  let result: DocumentResult = { id, openapi, state: 'unfinished' };
  for await (const part of measureParts(server, file)) {
    result = { ...result, ...part };
    yield result;
  }
  if (settings.conform && server === 'ours' && result.load?.listens === true) {
    result = { ...result, conformance: await conform(file, { milliseconds: limits.conform }) };
    yield result;
    if (settings.fullBudget) {
      const wish = { milliseconds: limits.full, requests: wholePlan };
      result = { ...result, fullConformance: await conform(file, wish) };
    }
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  yield { ...result, state: 'measured', seconds };
}

async function* measureParts(
  server: ServerName,
  file: string,
): AsyncGenerator<Partial<DocumentResult>, void> {
  if (server === 'prism' && (await refersToNetwork(file))) {
    const refusal = 'refers to the network: not tried';
    yield { load: { listens: false, milliseconds: 0, refusal } };
    return;
  }
  const { load, base, process } = await startServer(server, file);
  yield { load };
  if (base === undefined) return;
  try {
    yield* askServer(file, base);
    yield { memoryAtEnd: memoryOf(process.child.pid)?.most ?? 0 };
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
