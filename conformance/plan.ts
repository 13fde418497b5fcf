import { phases, type PlanContext, type Probe } from './probe.ts';
import { listExhaustProbes } from './probes/exhaust.ts';
import { listProbes } from './probes/index.ts';

/** What a run is going to do, settled before its first request. */
export interface Plan {
  /** In the order in which they will run. */
  readonly probes: readonly Probe[];
  /** Probes that the budget or the options leave out, with the reason. */
  readonly left: readonly { readonly probe: Probe; readonly reason: string }[];
  /** Requests that the probes take as a rule; never above the budget. */
  readonly requests: number;
  readonly budget: number;
}

export interface PlanOptions {
  readonly budget: number;
  /** Leaves out every probe that may add or change items. */
  readonly readOnly: boolean;
  /** Ends with a drive to the rate limit; its requests come on top of the budget. */
  readonly exhaust: boolean;
}

/** Chooses the probes of a run: the most telling first, as many as the budget takes, then in the order of their phases. */
export function planRun(context: PlanContext, options: PlanOptions): Plan {
  const drive = listExhaustProbes(context);
  const extra = options.exhaust ? drive.reduce((sum, probe) => sum + probe.requests, 0) : 0;
  const all = listProbes(context);
  const allowed = options.readOnly ? all.filter((probe) => !probe.writes) : all;
  const forbidden = options.readOnly ? all.filter((probe) => probe.writes) : [];
  const { chosen, rest, requests } = fill(byRank(allowed), options.budget);
  const order = new Map(phases.map((phase, index) => [phase, index]));
  return {
    probes: [...chosen.toSorted((a, b) => (order.get(a.phase) ?? 0) - (order.get(b.phase) ?? 0)), ...(options.exhaust ? drive : [])],
    left: [
      ...forbidden.map((probe) => ({ probe, reason: 'read-only: it needs a request that may add items' })),
      ...rest.map((probe) => ({ probe, reason: `budget: ${options.budget} requests leave no room for it` })),
      ...(options.exhaust ? [] : drive.map((probe) => ({ probe, reason: 'the limit was not to be exhausted (--exhaust)' }))),
    ],
    requests: requests + extra,
    budget: options.budget + extra,
  };
}

/** By rank, and within a rank the phases in turn, so that a short budget sees something of everything. */
function byRank(probes: readonly Probe[]): readonly Probe[] {
  const nth = new Map<string, number>();
  const turns = probes.map((probe) => {
    const key = `${probe.rank} ${probe.phase}`;
    const turn = nth.get(key) ?? 0;
    nth.set(key, turn + 1);
    return { probe, turn };
  });
  return turns.toSorted((a, b) => a.probe.rank - b.probe.rank || a.turn - b.turn).map(({ probe }) => probe);
}

function fill(probes: readonly Probe[], budget: number): { chosen: readonly Probe[]; rest: readonly Probe[]; requests: number } {
  const chosen: Probe[] = [];
  const rest: Probe[] = [];
  let requests = 0;
  for (const probe of probes) {
    const fits = requests + probe.requests <= budget;
    (fits ? chosen : rest).push(probe);
    if (fits) requests += probe.requests;
  }
  return { chosen, rest, requests };
}
