import { type JsonObject, isJsonArray, isJsonObject } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { SandboxControl } from '../../mock/index.ts';
import type { Scenario, Step } from '../scenarios/scenario.ts';

/**
 * Sets a sandbox up for a scenario, and gives what takes its next step: to be called before each
 * request is answered. `plan`: that of the client's key.
 */
export function setUpSandbox(
  contract: Contract,
  { start, steps }: Scenario,
  sandbox: SandboxControl,
  plan: string | undefined,
): () => void {
  const change = ({ items, choices, faults = [], quota, banSeconds, now }: Step): void => {
    if (choices !== undefined) sandbox.choose(choicesByQuestion(contract, choices));
    if (items !== undefined)
      sandbox.replaceState(changeItems(contract, sandbox.readState(), items));
    if (now !== undefined) sandbox.clock.set(Date.parse(now));
    for (const fault of faults) sandbox.addFault(fault);
    if (plan === undefined) return;
    if (quota !== undefined) changeQuota(sandbox, plan, quota);
    if (banSeconds !== undefined) sandbox.changeQuota(plan, { banSeconds });
  };
  let requests = 0;
  change(start);
  return () => {
    requests += 1;
    change(steps.get(requests) ?? {});
  };
}

/** The choices by question. Questions that the document does not ask are left out. */
function choicesByQuestion(
  { openQuestions }: Contract,
  choices: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    openQuestions.flatMap(({ id, kind }) =>
      choices[kind] === undefined ? [] : [[id, choices[kind]]],
    ),
  );
}

function changeItems(
  { resources }: Contract,
  state: JsonObject,
  change: NonNullable<Step['items']>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(state).map(([path, items]) => {
      const resource = resources.find(({ collectionPath }) => collectionPath === path);
      const isChanged = resource !== undefined && isJsonArray(items);
      return [path, isChanged ? change(items.filter(isJsonObject), resource) : items];
    }),
  );
}

function changeQuota(
  sandbox: SandboxControl,
  plan: string,
  { left, seconds }: NonNullable<Step['quota']>,
): void {
  const [shortest] = sandbox.quotas.find((quota) => quota.plan === plan)?.windows ?? [];
  if (shortest === undefined) return;
  sandbox.changeQuota(plan, {
    used: { [shortest.name]: Math.max(0, shortest.limit - left) },
    resetSeconds: { [shortest.name]: seconds },
  });
}
