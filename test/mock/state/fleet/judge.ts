import type { Act, Exchange, FinalState } from './exchange.ts';

/** What is wrong, by kind, a sentence each. */
export interface Fault {
  readonly kind:
    | 'status'
    | 'id'
    | 'lost item'
    | 'strange item'
    | 'count'
    | 'order'
    | 'stale'
    | 'journal';
  readonly detail: string;
}

type Answered = Exchange & {
  readonly outcome: Extract<Exchange['outcome'], { readonly kind: 'response' }>;
};

interface Knowledge {
  readonly sandbox: string;
  readonly exchanges: readonly Exchange[];
  readonly answered: readonly Answered[];
  /** How often something was sent of which nobody knows whether it was done. */
  readonly lost: number;
  readonly state: FinalState;
}

/** Statuses that may come instead, as of a balancer while an instance is down. */
export interface JudgeOptions {
  readonly excused?: readonly number[];
}

/**
 * Compares what clients were told with each other, and with what is there in the end: each
 * acknowledged request counts once, each other one once or not at all.
 *
 * @param seeded how many items a sandbox begins with
 */
export function judgeTrial(
  exchanges: readonly Exchange[],
  states: ReadonlyMap<string, FinalState>,
  seeded: number,
  { excused = [] }: JudgeOptions = {},
): readonly Fault[] {
  return [...states].flatMap(([sandbox, state]) => {
    const own = exchanges.filter((one) => one.sandbox === sandbox);
    const responses = own.filter(isAnswered);
    const answered = responses.filter(({ outcome }) => !excused.includes(outcome.status));
    const known: Knowledge = {
      sandbox,
      exchanges: own,
      answered,
      // What a balancer says is no word of an instance.
      lost: own.length - answered.length + sum(answered, ({ outcome }) => outcome.tries - 1),
      state,
    };
    return [
      ...judgeStatuses(known),
      ...judgeItems(known, seeded),
      ...judgeCounts(known),
      ...judgeReads(known),
    ];
  });
}

export function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.outcome.kind === 'response';
}

const wantedStatus: Readonly<Record<Act['kind'], number>> = { create: 201, get: 200, list: 200 };

function judgeStatuses({ sandbox, answered }: Knowledge): readonly Fault[] {
  return answered
    .filter(({ act, outcome }) => outcome.status !== wantedStatus[act.kind])
    .map(({ act, outcome: { status, body } }) => ({
      kind: 'status',
      detail: `${sandbox}: ${act.kind} has ${status}: ${body.slice(0, 100)}`,
    }));
}

/** The id of a pet in a body, with all its digits. */
export function idIn(body: string): string {
  return /"id":(-?\d+)/.exec(body)?.[1] ?? '';
}

function judgeItems(
  { sandbox, exchanges, answered, state }: Knowledge,
  seeded: number,
): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (kind: Fault['kind'], detail: string): void =>
    void faults.push({ kind, detail: `${sandbox}: ${detail}` });
  const created = answered.flatMap(({ act, outcome }) =>
    act.kind === 'create' && outcome.status === 201
      ? [{ id: idIn(outcome.body), name: act.name }]
      : [],
  );
  for (const id of repeated(created.map((one) => one.id))) fault('id', `id ${id} was given twice`);
  for (const id of repeated(state.items.map((one) => one.id)))
    fault('id', `id ${id} is there twice`);
  const names = new Map(state.items.map((one) => [one.id, one.name]));
  for (const { id, name } of created)
    if (names.get(id) !== name)
      fault('lost item', `${name} (id ${id}) was acknowledged and is gone`);
  const asked = new Set(exchanges.flatMap(({ act }) => (act.kind === 'create' ? [act.name] : [])));
  for (const name of repeated(state.items.map((one) => one.name)))
    if (asked.has(name)) fault('strange item', `${name} was added twice`);
  const others = state.items.filter(({ name }) => !asked.has(name)).length;
  if (others !== seeded) fault('strange item', `${others} items that nobody added, not ${seeded}`);
  return faults;
}

function judgeCounts({ sandbox, answered, lost, state }: Knowledge): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (kind: Fault['kind'], detail: string): void =>
    void faults.push({ kind, detail: `${sandbox}: ${detail}` });
  const windows = Map.groupBy(answered, ({ outcome }) => outcome.reset);
  let missing = 0;
  for (const [reset, some] of windows) {
    const used = some.map(({ outcome }) => outcome.used);
    for (const count of repeated(used))
      fault('count', `two requests were number ${count} until ${reset}`);
    missing += Math.max(...used) - new Set(used).size;
    const byEnd = some.toSorted((one, other) => one.end - other.end);
    const byStart = some.toSorted((one, other) => one.start - other.start);
    let [next, highest] = [0, 0];
    for (const { start, outcome } of byStart) {
      for (let ended = byEnd[next]; ended !== undefined && ended.end < start; ended = byEnd[next]) {
        highest = Math.max(highest, ended.outcome.used);
        next += 1;
      }
      if (outcome.used <= highest)
        fault('order', `request ${outcome.used} began after request ${highest} had its response`);
    }
  }
  if (missing > lost)
    fault('count', `${missing} requests were counted that nobody knows of, and ${lost} were lost`);
  const { journaled } = state;
  if (journaled < answered.length || journaled > answered.length + lost)
    fault(
      'journal',
      `${journaled} requests in the journal, ${answered.length} had a response, ${lost} were lost`,
    );
  return faults;
}

/** Who reads sees what was acknowledged before. */
function judgeReads({ sandbox, answered }: Knowledge): readonly Fault[] {
  return answered.flatMap(({ act, outcome }) => {
    if (act.kind !== 'get' || outcome.status !== 200) return [];
    const isThere = outcome.body.includes(`"name":"${act.name}"`);
    return isThere ? [] : [{ kind: 'stale', detail: `${sandbox}: ${act.id} is not ${act.name}` }];
  });
}

function sum<Value>(values: readonly Value[], numberOf: (value: Value) => number): number {
  return values.reduce((total, value) => total + numberOf(value), 0);
}

function repeated<Value>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<Value>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
