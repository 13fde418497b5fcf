import type { Contract } from '../../contract/index.ts';
import { type Phase, type RunPlan, findPlan } from '../../conformance/index.ts';

const phaseNames: Readonly<Record<Phase, string>> = {
  inventory: 'look around',
  saved: 'saved counterexamples',
  create: 'additions at the same time',
  values: 'hard values',
  invalid: 'invalid bodies',
  get: 'reads',
  credential: 'additions without the key',
  change: 'changes',
  'refused-change': 'invalid changes',
  remove: 'removals',
  'look-back': 'looks back',
  open: 'open questions',
  generated: 'generated additions',
  list: 'lists',
  'key-missing': 'reads without the key',
  fuzz: 'fuzzing',
  exhaust: 'drive to the limit',
};

/** What a phase of a run is for, in words. */
export function namePhase(phase: Phase): string {
  return phaseNames[phase];
}

/** A plan in a few lines, for people who wait for it: how many requests, what for, in what time. */
export function renderPlan(
  plan: RunPlan,
  contract: Contract,
  planName: string | undefined,
): string {
  const parts = [...Map.groupBy(plan.probes, ({ phase }) => phase)].map(
    ([phase, probes]) =>
      `${namePhase(phase)} ${probes.reduce((sum, { requests }) => sum + requests, 0)}`,
  );
  const sum = `${plan.requests} requests of at most ${plan.budget}: ${parts.join(', ')}.`;
  const lines = [sum, renderTime(plan, contract, planName), renderLeft(plan)];
  return lines.filter((line) => line !== '').join('\n');
}

/** Seconds that a run waits for the rate limit, where nobody else uses the key; 0 if it is not told. */
export function waitingSeconds(
  { requests }: RunPlan,
  contract: Contract,
  planName: string | undefined,
): number {
  const window = contract.rateLimit?.windows[0];
  const limit = findPlan(contract, planName)?.limits?.get(window?.name ?? '');
  if (!window || limit === undefined) return 0;
  return Math.max(0, Math.ceil(requests / limit) - 1) * window.seconds;
}

/** By the plan of the key. */
function renderTime(plan: RunPlan, contract: Contract, planName: string | undefined): string {
  const window = contract.rateLimit?.windows[0];
  const limit = findPlan(contract, planName)?.limits?.get(window?.name ?? '');
  if (!window || limit === undefined) return '';
  const seconds = waitingSeconds(plan, contract, planName);
  if (seconds === 0)
    return `The plan ${planName ?? ''} allows them at once, if its key is not in use.`;
  return `The plan ${planName ?? ''} allows ${limit} a ${window.name}: it takes up to ${seconds} seconds of waiting.`;
}

/** Probes that nothing else stands for are told apart from those that test nothing further. */
function renderLeft({ left, requests, needed, budget }: RunPlan): string {
  const wanted = left.filter(({ probe }) => probe.rank < 5);
  const unsent = wanted.filter(({ reason }) => reason.startsWith('budget:'));
  if (wanted.length === 0) return '';
  if (needed > budget)
    return `${tellLeft(wanted.length, 'probe')}; what only they would show is not tested, with the reason. All that can be tested takes ${needed} requests (--requests ${needed}).`;
  const all = unsent.reduce((sum, { probe }) => sum + probe.requests, requests);
  const others = wanted.filter((each) => !unsent.includes(each));
  return [
    ...(unsent.length === 0
      ? []
      : [
          `${tellLeft(unsent.length, 'optional probe')}; --requests ${all} sends ${unsent.length === 1 ? 'it' : 'them'}.`,
        ]),
    ...[...Map.groupBy(others, ({ reason }) => reason)].map(
      ([reason, some]) => `${tellLeft(some.length, 'probe')}, since ${reason}.`,
    ),
  ].join(' ');
}

function tellLeft(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} is left out` : `${count} ${noun}s are left out`;
}
