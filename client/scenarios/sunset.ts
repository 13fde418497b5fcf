import type { ScenarioDraft, ScenarioMaker } from './scenario.ts';

/** The last days of deprecated operations, and those after them. */
export const sunsetScenarios: readonly ScenarioMaker[] = [
  besideSunset(-1, (last) => ({
    id: 'before-sunset',
    sentence: `The clock of the service is set to a day before ${last}, when a deprecated operation is removed.`,
  })),
  besideSunset(1, (last) => ({
    id: 'after-sunset',
    sentence: `The clock of the service is set to a day after ${last}: deprecated operations are removed.`,
  })),
];

/** So many days after the last one on which an operation goes, `YYYY-MM-DD`. */
function besideSunset(days: number, describe: (last: string) => ScenarioDraft): ScenarioMaker {
  return ({ operations }) => {
    const [last] = operations
      .flatMap(({ deprecation }) => deprecation?.sunset ?? [])
      .toSorted()
      .toReversed();
    if (last === undefined) return undefined;
    const now = new Date(Date.parse(last) + days * 86_400_000).toISOString();
    return { ...describe(last), start: { now } };
  };
}
