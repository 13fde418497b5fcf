import type { Contract } from '../../contract/index.ts';
import { type ScenarioMaker, createScenario } from './scenario.ts';

const beforeSunset: ScenarioMaker = (contract) => {
  const last = lastSunset(contract);
  return last === undefined
    ? undefined
    : createScenario({
        id: 'before-sunset',
        sentence: `The service's clock stands at a day before ${last}, the day a deprecated operation goes.`,
        start: { now: new Date(Date.parse(last) - 86_400_000).toISOString() },
      });
};

const afterSunset: ScenarioMaker = (contract) => {
  const last = lastSunset(contract);
  return last === undefined
    ? undefined
    : createScenario({
        id: 'after-sunset',
        sentence: `The service's clock stands at a day after ${last}: what was deprecated is gone.`,
        start: { now: new Date(Date.parse(last) + 86_400_000).toISOString() },
      });
};

/** The last day on which an operation goes, `YYYY-MM-DD`. */
function lastSunset({ operations }: Contract): string | undefined {
  return operations
    .flatMap(({ deprecation }) => deprecation?.sunset ?? [])
    .toSorted()
    .at(-1);
}

/** The last days of deprecated operations, and those after them. */
export const sunsetScenarios: readonly ScenarioMaker[] = [beforeSunset, afterSunset];
