import { type Contract, appendPointer, resolvePointer } from '../../../contract/index.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import type { EntryDetail, JournalEntry } from '../../sandbox/journal-entry.ts';

/** JSON pointer into the document: what the refusal of a request rests on, else its operation. */
export function placeOf(entry: JournalEntry, detail: EntryDetail, contract: Contract): string {
  const isThere = (pointer: string | undefined): pointer is string =>
    pointer?.startsWith('#') === true && resolvePointer(contract.document, pointer) !== undefined;
  return candidatesFor(entry, detail, contract).find(isThere) ?? '#/paths';
}

/** The likeliest first; some are in no document. */
function candidatesFor(
  { operation: id, target, status, refusal }: JournalEntry,
  detail: EntryDetail,
  { basePath, operations }: Contract,
): readonly (string | undefined)[] {
  const operation = operations.find((one) => one.id === id);
  const whole = operation?.pointer;
  switch (refusal?.check) {
    case undefined:
    case 'stub':
      return [whole];
    case 'credential':
      return [whole && appendPointer(whole, 'security'), '#/security', whole];
    case 'rate-limit':
      return ['#/x-rate-limit', whole];
    case 'state':
      return [detail.place, whole && appendPointer(whole, 'responses', `${status}`), whole];
    case 'route': {
      const path = target.split('?', 1)[0] ?? '';
      const found = operations.find(
        (one) => parsePathTemplate(one.path, basePath).match(path) !== undefined,
      );
      return [found && appendPointer('#/paths', found.path)];
    }
    case 'http':
    case 'accept':
    case 'parameters':
    case 'content':
    case 'fault':
    case 'memory':
    case 'preference':
    default:
      return [detail.place, whole];
  }
}
