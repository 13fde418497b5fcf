import { type Contract, hasCode, addAll } from '../../contract/index.ts';
import { listChanges } from './changes.ts';
import type { MockRuntime } from './served-document.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Service } from '../sandbox/service.ts';
import type { MisplacedItem } from '../items/store/store.ts';

/** What came of serving another document. */
export interface Reload {
  /** What differs, one short line each: `added the operation removePet`. */
  readonly changes: readonly string[];
  /** Items that do not fit; they are served again once they fit a later document. */
  readonly setAside: readonly (MisplacedItem & { readonly sandbox: string })[];
  /** Items of the seed and choices of sandboxes that do not fit: why each is left out. */
  readonly leftOut: readonly string[];
}

/** Serves another document and keeps every sandbox. Changes nothing where it throws. */
export async function reloadRuntime(runtime: MockRuntime, contract: Contract): Promise<Reload> {
  const changes = listChanges(runtime.contract, contract);
  const leftOut: string[] = [];
  const servedDocument = runtime.plan(contract, (fault) => leftOut.push(fault.message));
  runtime.adopt(servedDocument);
  const setAside = runtime.sandboxes.all.flatMap((sandbox) => {
    addAll(leftOut, dropChoices(sandbox, contract));
    addAll(leftOut, dropLimits(sandbox, servedDocument.service));
    return runtime
      .choose(sandbox, sandbox.choices)
      .map((item) => ({ ...item, sandbox: sandbox.name }));
  });
  return { changes, setAside, leftOut };
}

/** Leaves out choices of a sandbox that the document does not have. */
function dropChoices(sandbox: Sandbox, { openQuestions }: Contract): readonly string[] {
  const chosen = Object.entries(sandbox.choices);
  const isThere = ([id, choice]: readonly [string, string]): boolean =>
    openQuestions.some(
      (question) => question.id === id && question.choices.some((one) => one.id === choice),
    );
  sandbox.choices = Object.fromEntries(chosen.filter(isThere));
  return chosen
    .filter((one) => !isThere(one))
    .map(
      ([id, choice]) =>
        `The sandbox ${sandbox.name} chose ${id}=${choice}, which the document does not have.`,
    );
}

/** Leaves out the limits of a sandbox where the document has not their plans or windows. */
function dropLimits(sandbox: Sandbox, service: Service): readonly string[] {
  try {
    service.openMeter(undefined, sandbox.limits);
    return [];
  } catch (error) {
    if (!hasCode(error, 'limit')) throw error;
    sandbox.limits = {};
    return [
      `The sandbox ${sandbox.name} had limits that the document does not have. ${error.message}`,
    ];
  }
}
