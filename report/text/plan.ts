import { type VisibleText, joinShown, show, showLine } from '../../page/view/visible.ts';
import type { Contract } from '../../contract/contract.ts';
import {
  type Phase,
  type RunPlan,
  countRequests,
  describeReason,
  findPlan,
} from '../../conformance/index.ts';

const phaseNames = {
  inventory: 'existing items',
  saved: 'saved counterexamples',
  create: 'concurrent additions',
  values: 'edge values',
  invalid: 'invalid bodies',
  get: 'reads',
  credential: 'additions without a key',
  change: 'changes',
  'refused-change': 'invalid changes',
  remove: 'removals',
  'remove-parent': 'removals around other items',
  'look-back': 'later reads',
  open: 'open questions',
  generated: 'generated additions',
  list: 'lists',
  'key-missing': 'reads without a key',
  fuzz: 'fuzzing',
  exhaust: 'the rate limit',
  last: 'items that break servers',
} as const satisfies Readonly<Record<Phase, string>>;

export function namePhase(phase: Phase): string {
  return phaseNames[phase];
}

/**
 * A plan in a few lines, for people who wait for the run: how many requests, for what, and how long
 * it takes.
 */
export function listPlan(
  plan: RunPlan,
  contract: Contract,
  planName: string | undefined,
): readonly VisibleText[] {
  const parts = [...Map.groupBy(plan.probes, ({ phase }) => phase)].map(
    ([phase, probes]) => show`${countRequests(probes)} for ${phaseNames[phase]}`,
  );
  const sent =
    parts.length === 0
      ? show`the document describes nothing that can be sent`
      : joinShown(parts, ', ');
  const sum = show`${plan.requests} ${plan.requests === 1 ? 'request' : 'requests'} of at most ${plan.budget}: ${sent}.`;
  const further =
    plan.shrink === 0
      ? show``
      : show`If something fails, up to ${plan.shrink} more for smaller counterexamples.`;
  const merged =
    plan.merged === 0
      ? show``
      : show`The document has too many requirements: members of bodies of ${plan.merged} operations are tested as parts of the whole body.`;
  const lines = [sum, further, renderTime(plan, contract, planName), renderLeft(plan), merged];
  return lines.filter((line) => line !== '');
}

/** Seconds that a run waits for the rate limit, if nobody else uses the key; 0 if unknown. */
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

function renderTime(plan: RunPlan, contract: Contract, planName: string | undefined): VisibleText {
  const window = contract.rateLimit?.windows[0];
  const limit = findPlan(contract, planName)?.limits?.get(window?.name ?? '');
  if (!window || limit === undefined) return show``;
  const name = showLine(planName ?? '');
  const seconds = waitingSeconds(plan, contract, planName);
  if (seconds === 0)
    return show`The plan ${name} allows these without a wait, unless the key is in use elsewhere.`;
  return show`The plan ${name} allows ${limit} a ${showLine(window.name)}: the run waits for up to ${seconds} seconds.`;
}

/** Requests whose loss leaves something untested are reported separately from optional ones. */
function renderLeft({ probes, left, requests, needed, budget }: RunPlan): VisibleText {
  const wanted = left.filter(({ probe }) => probe.rank < 5);
  const unsent = wanted.filter(({ reason }) => reason.kind === 'budget');
  if (wanted.length === 0) return show``;
  // `--requests` does not count these.
  const further = countRequests(
    probes.filter(({ phase }) => phase === 'fuzz' || phase === 'exhaust'),
  );
  if (needed > budget)
    return show`Full coverage needs ${needed} requests (--requests ${needed - further}). Without the other ${needed - requests}, some requirements may be tested less thoroughly or not at all.`;
  const all = countRequests(unsent.map(({ probe }) => probe)) + requests - further;
  const others = wanted.filter((each) => !unsent.includes(each));
  const sentences = [
    ...(unsent.length === 0
      ? []
      : [show`${tellLeft(unsent, 'optional ')}; --requests ${all} sends them too.`]),
    ...[...Map.groupBy(others, ({ reason }) => describeReason(reason))].map(
      ([reason, some]) => show`${tellLeft(some)}: ${showLine(reason)}.`,
    ),
  ];
  return joinShown(sentences, ' ');
}

function tellLeft(left: RunPlan['left'], kind: 'optional ' | '' = ''): VisibleText {
  return show`Left out: ${countRequests(left.map(({ probe }) => probe))} ${kind}requests`;
}
