import type { JournalEntry } from '../../sandbox/journal-entry.ts';

/** What a stub breaks of the contract, or why one that is near was not for the request. */
export function explainStub({ stub }: JournalEntry): string | undefined {
  switch (stub?.kind) {
    case 'applied':
      return stub.breaks.length === 0
        ? undefined
        : `${stub.id} breaks the contract: ${stub.breaks.join(' ')}`;
    case 'missed':
      return `${stub.id} was not applied: ${stub.reason}.`;
    case undefined:
    default:
      return undefined;
  }
}
