import { type JsonObject, isJsonArray, isJsonObject } from '../../contract/index.ts';
import type { SandboxControl } from '../../mock/index.ts';
import type { Scenario, Turn } from '../scenarios/scenario.ts';
import type { Contract } from '../../contract/index.ts';

/** Plays a scenario in a sandbox. */
export interface Stage {
  /** To be called before each request is answered. */
  readonly advance: () => void;
}

/** Sets a sandbox up for a scenario. `plan`: that of the client's key. */
export function createStage(
  contract: Contract,
  scenario: Scenario,
  sandbox: SandboxControl,
  plan: string | undefined,
): Stage {
  let requests = 0;
  changeSandbox(contract, sandbox, plan, scenario.start);
  return {
    advance() {
      requests += 1;
      const turn = scenario.turns.get(requests);
      if (turn !== undefined) changeSandbox(contract, sandbox, plan, turn);
    },
  };
}

function changeSandbox(
  contract: Contract,
  sandbox: SandboxControl,
  plan: string | undefined,
  turn: Turn,
): void {
  const { items, choices, faults = [], quota, banSeconds, now } = turn;
  if (choices !== undefined) sandbox.choose(responsesOf(contract, choices));
  if (items !== undefined) sandbox.replaceState(changeItems(contract, sandbox.readState(), items));
  if (now !== undefined) sandbox.clock.set(Date.parse(now));
  for (const fault of faults) sandbox.addFault(fault);
  if (plan === undefined) return;
  if (quota !== undefined) changeQuota(sandbox, plan, quota);
  if (banSeconds !== undefined) sandbox.changeQuota(plan, { banSeconds });
}

/** The choices by question. Questions that the document does not ask are left out. */
function responsesOf(
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
  change: NonNullable<Turn['items']>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(state).map(([path, items]) => {
      const resource = resources.find(({ collectionPath }) => collectionPath === path);
      return [
        path,
        resource === undefined || !isJsonArray(items)
          ? items
          : change(items.filter(isJsonObject), resource),
      ];
    }),
  );
}

function changeQuota(
  sandbox: SandboxControl,
  plan: string,
  { left, seconds }: NonNullable<Turn['quota']>,
): void {
  const [shortest] = sandbox.quotas.find((quota) => quota.plan === plan)?.windows ?? [];
  if (shortest === undefined) return;
  sandbox.changeQuota(plan, {
    used: { [shortest.name]: Math.max(0, shortest.limit - left) },
    resetSeconds: { [shortest.name]: seconds },
  });
}
