import { type Contract, resolvePointer } from '../../../contract/index.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';

/** JSON pointer into the document: what the refusal of a request rests on, else its operation. */
export function placeOf(
  { operation: id, refusal, detail }: JournalEntry,
  { document, operations }: Contract,
): string {
  const operation = operations.find((one) => one.id === id);
  const candidates = [
    detail.place,
    ...(refusal?.check === 'credential' ? [`${operation?.pointer}/security`, '#/security'] : []),
    ...(refusal?.check === 'rate-limit' ? ['#/x-rate-limit'] : []),
    operation?.pointer,
  ];
  const isThere = (pointer: string | undefined): pointer is string =>
    pointer !== undefined &&
    pointer.startsWith('#') &&
    resolvePointer(document, pointer) !== undefined;
  return candidates.find(isThere) ?? '#/paths';
}
