/** Parts of a sandbox that a call of the interface may change. */
export type SandboxPart =
  | 'items'
  | 'clock'
  | 'choices'
  | 'faults'
  | 'stubs'
  | 'quotas'
  | 'snapshots'
  | 'journal'
  | 'sandbox';

/** What each operation changes; those that change nothing are not here. */
const changes: ReadonlyMap<string, readonly SandboxPart[]> = new Map([
  [
    'resetSandbox',
    ['sandbox', 'items', 'clock', 'choices', 'faults', 'stubs', 'quotas', 'snapshots', 'journal'],
  ],
  ['forkSandbox', ['sandbox', 'items', 'clock', 'choices', 'quotas']],
  ['restoreSnapshot', ['sandbox', 'items', 'clock', 'choices', 'quotas']],
  ['replaceState', ['items']],
  ['resetState', ['items']],
  ['addItem', ['items']],
  ['replaceItem', ['items']],
  ['removeItem', ['items']],
  ['takeSnapshot', ['snapshots']],
  ['dropSnapshot', ['snapshots']],
  ['setClock', ['clock']],
  ['resetClock', ['clock']],
  ['setChoices', ['choices', 'items', 'quotas']],
  ['resetChoices', ['choices', 'items', 'quotas']],
  ['addFault', ['faults']],
  ['editFault', ['faults']],
  ['clearFaults', ['faults']],
  ['removeFault', ['faults']],
  ['addStub', ['stubs']],
  ['editStub', ['stubs']],
  ['replaceStubs', ['stubs']],
  ['clearStubs', ['stubs']],
  ['removeStub', ['stubs']],
  ['setQuota', ['quotas']],
  ['resetQuotas', ['quotas']],
  ['clearJournal', ['journal']],
]);

/** What of a sandbox an operation of the interface has changed, once it is done; empty for nothing. */
export function changedParts(operation: string): readonly SandboxPart[] {
  return changes.get(operation) ?? [];
}
