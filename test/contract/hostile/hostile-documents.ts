import { createRandom, type HostileDocument } from './hostile-document.ts';
import { listDeepDocuments } from './depths.ts';
import { listReferenceDocuments } from './references.ts';
import { listSwagger } from './swagger.ts';
import { listTextDocuments } from './texts.ts';
import { listLimits } from './size-limits.ts';
import { listNumbers } from './numbers.ts';
import { listUnsatisfiable } from './unsatisfiable.ts';
import { listWideOperations } from './wide-operations.ts';
import { listWideSchemas } from './wide-schemas.ts';

export type { HostileDocument } from './hostile-document.ts';

const groups = [
  listReferenceDocuments,
  listDeepDocuments,
  listWideSchemas,
  listWideOperations,
  listLimits,
  listNumbers,
  listUnsatisfiable,
  listTextDocuments,
  listSwagger,
];

/** Hostile documents; another seed has other sizes. Made one group at a time: they are large. */
export function* listHostileDocuments(seed: number): Generator<HostileDocument> {
  for (const list of groups) yield* list(createRandom(seed));
}
