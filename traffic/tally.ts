import type { Contract } from '../contract/contract.ts';
import {
  type Exchange,
  type Finding,
  isPassive,
  judgeSeries,
  listRequirements,
  type Reason,
  type Requirement,
  settleFindings,
  type Step,
  type TrafficNote,
  type Verdict,
} from '../conformance/index.ts';

/** How much is kept in memory. */
export const bounds = {
  /** The first exchanges are kept in full, up to this number and this size of bodies. */
  first: 500,
  firstBytes: 16 * 1024 * 1024,
  /** Exchanges kept per requirement that failed, or passed. */
  failed: 5,
  passed: 2,
  /** Total bytes of bodies after which long bodies of failures are dropped too. */
  bytes: 32 * 1024 * 1024,
  /** Longer bodies of other exchanges are replaced by their length. */
  body: 64 * 1024,
  /** Exchanges of one key that are judged together, and number of keys that are tracked. */
  together: 200,
  keys: 64,
  /** Clean exchanges that are remembered, each with bodies of at most `body` characters. */
  clean: 256,
  /** Different notes of one kind; all others are counted together. */
  notes: 50,
} as const;

export type Judged = Exclude<Finding, { readonly kind: 'open' }>;

/** Removes the keys of one exchange. */
export interface RedactKeys {
  readonly exchange: (exchange: Exchange) => Exchange;
  readonly finding: (finding: Judged) => Judged;
}

const keepAll: RedactKeys = { exchange: (one) => one, finding: (one) => one };

/** Responses to one key that were judged together. Their exchanges have no bodies. */
interface JudgedSteps {
  readonly findings: readonly Finding[];
  readonly steps: readonly Step[];
}

interface Count {
  readonly kept: Judged[];
  readonly seen: Record<Judged['kind'], number>;
}

export type Failed = Extract<Finding, { readonly kind: 'failed' }>;

export interface Settled {
  readonly verdicts: readonly Verdict[];
  readonly exchanges: readonly Exchange[];
  /** Number of failures of requirements that failed more often than exchanges are kept. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Counts findings, and keeps the exchanges that prove them, in bounded memory. */
export class Tally {
  readonly #counts = new Map<string, Count>();
  readonly #kept = new Map<number, Exchange>();
  #bytes = 0;

  /**
   * @param redact removes the keys of the exchange from what is kept of it
   * @returns the first failure of each requirement
   */
  add(
    exchange: Exchange,
    findings: readonly Finding[],
    redact: RedactKeys = keepAll,
  ): readonly Failed[] {
    const { failures, kept } = this.#note(findings, redact);
    const isEarly = this.#kept.size < bounds.first && this.#bytes < bounds.firstBytes;
    if (!isEarly && kept.length === 0) return failures;
    const isFailure = findings.some(({ kind }) => kind === 'failed');
    const isWhole = isEarly || (isFailure && this.#bytes < bounds.bytes);
    this.#keep(redact.exchange(isWhole ? exchange : withoutLongBodies(exchange)));
    return failures;
  }

  /** Adds what earlier exchanges show together, and keeps those that prove it. */
  addLater({ findings, steps }: JudgedSteps): readonly Failed[] {
    const { failures, kept } = this.#note(findings, keepAll);
    const cited = new Set(
      kept.flatMap((each) => [each.exchange, ...(each.kind === 'failed' ? each.others : [])]),
    );
    for (const { reading } of steps)
      if (cited.has(reading.index) && !this.#kept.has(reading.index)) this.#keep(reading.exchange);
    return failures;
  }

  #keep(exchange: Exchange): void {
    this.#bytes += lengthOf(exchange);
    this.#kept.set(exchange.index, exchange);
  }

  #note(findings: readonly Finding[], redact: RedactKeys) {
    const failures: Failed[] = [];
    const kept: Judged[] = [];
    for (const finding of findings) {
      if (finding.kind === 'open') continue;
      let count = this.#counts.get(finding.requirement);
      if (count === undefined) {
        count = { kept: [], seen: { passed: 0, failed: 0, unclear: 0, excused: 0 } };
        this.#counts.set(finding.requirement, count);
      }
      const seen = (count.seen[finding.kind] += 1);
      if (seen > (finding.kind === 'failed' ? bounds.failed : bounds.passed)) continue;
      kept.push(finding);
      count.kept.push(redact.finding(finding));
      if (finding.kind === 'failed' && seen === 1) failures.push(finding);
    }
    return { failures, kept };
  }

  /** The verdicts, and the exchanges that they cite, renumbered. */
  settle(contract: Contract): Settled {
    const kept = [...this.#kept].toSorted(([one], [other]) => one - other);
    const places = new Map(kept.map(([index], place) => [index, place]));
    const renumber = (finding: Judged): readonly Judged[] => {
      const exchange = places.get(finding.exchange);
      if (exchange === undefined) return [];
      if (finding.kind !== 'failed') return [{ ...finding, exchange }];
      const others = finding.others.flatMap((other) => places.get(other) ?? []);
      return [{ ...finding, exchange, others }];
    };
    const whyNotTested = (requirement: Requirement): Reason =>
      isPassive(requirement, contract)
        ? { kind: 'not-shown' }
        : { kind: 'never-asked', text: 'recorded traffic cannot show it (conform tests it)' };
    return {
      verdicts: listRequirements(contract).map((requirement) => {
        const found = this.#counts.get(requirement.id)?.kept ?? [];
        return settleFindings(requirement, found.flatMap(renumber), whyNotTested);
      }),
      exchanges: kept.map(([, exchange], index) => ({ ...exchange, index })),
      failures: new Map(
        [...this.#counts]
          .map(([id, { seen }]) => [id, seen.failed] as const)
          .filter(([, failed]) => failed > bounds.failed),
      ),
    };
  }
}

function lengthOf({ request, outcome }: Exchange): number {
  const received = outcome.kind === 'answered' ? outcome.response.body.length : 0;
  return received + (request.body?.length ?? 0);
}

function withoutLongBodies(exchange: Exchange): Exchange {
  const cut = (body: string): string =>
    body.length <= bounds.body ? body : `[not stored: ${body.length} characters]`;
  return lengthOf(exchange) <= bounds.body ? exchange : withBodies(exchange, cut);
}

export function withoutBodies(exchange: Exchange): Exchange {
  return withBodies(exchange, () => undefined);
}

function withBodies(exchange: Exchange, change: (body: string) => string | undefined): Exchange {
  const { request, outcome } = exchange;
  const body = request.body === undefined ? undefined : change(request.body);
  if (outcome.kind !== 'answered') return { ...exchange, request: { ...request, body } };
  const response = { ...outcome.response, body: change(outcome.response.body) ?? '' };
  return { ...exchange, request: { ...request, body }, outcome: { kind: 'answered', response } };
}

/** Groups responses by key, to compare their rate-limit headers with one another. */
export class Series {
  readonly #byKey = new Map<string, Step[]>();
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Judges the responses of a key once there are enough; at most one key. */
  add(key: string, steps: readonly Step[]): readonly JudgedSteps[] {
    const gathered = this.#byKey.get(key) ?? [];
    gathered.push(...steps);
    this.#byKey.delete(key);
    this.#byKey.set(key, gathered);
    if (gathered.length >= bounds.together) return [this.#judge(key)];
    const [oldest] = this.#byKey.size > bounds.keys ? this.#byKey.keys() : [];
    return oldest === undefined ? [] : [this.#judge(oldest)];
  }

  /** Judges the remaining responses. */
  end(): readonly JudgedSteps[] {
    return [...this.#byKey.keys()].map((key) => this.#judge(key));
  }

  /** Concurrent requests may have been counted in any order, so they are marked. */
  #judge(key: string): JudgedSteps {
    const steps = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    const concurrent = new Set<Step>();
    let before: Step | undefined;
    let latest = -Infinity;
    for (const step of steps.toSorted((one, two) => sentAt(one) - sentAt(two))) {
      if (before !== undefined && sentAt(step) <= latest) concurrent.add(before).add(step);
      latest = Math.max(latest, step.reading.exchange.endedAt);
      before = step;
    }
    const marked = steps.map((step) => (concurrent.has(step) ? { ...step, isAlone: false } : step));
    return { findings: judgeSeries(this.#contract, marked), steps };
  }
}

function sentAt({ reading }: Step): number {
  return reading.exchange.sentAt;
}

export class Notes {
  readonly #notes = new Map<string, TrafficNote>();

  add(kind: TrafficNote['kind'], wanted: string, example: string): void {
    const sameKind = this.#notes.values().filter((note) => note.kind === kind);
    const isKept = this.#notes.has(`${kind} ${wanted}`) || [...sameKind].length < bounds.notes;
    const sentence = isKept ? wanted : 'others, counted together';
    const key = `${kind} ${sentence}`;
    const before = this.#notes.get(key) ?? { kind, sentence, count: 0, example };
    this.#notes.set(key, { ...before, count: before.count + 1 });
  }

  /** Most frequent first. */
  list(): readonly TrafficNote[] {
    return [...this.#notes.values()].toSorted((one, other) => other.count - one.count);
  }
}

/**
 * Counts exchanges whose responses could be read, and those whose could not: too large, not
 * decodable, truncated, not recorded, or missing.
 */
export class UnreadResponses {
  readonly #counts = [
    { of: 'exchanges of its operations', all: 0, unread: 0, reason: '' },
    { of: 'successes', all: 0, unread: 0, reason: '' },
  ];

  /**
   * @param reason why it could not be read, as a clause without a full stop; undefined if it could
   */
  add(isSuccess: boolean, reason?: string): void {
    for (const count of isSuccess ? this.#counts : this.#counts.slice(0, 1)) {
      count.all += 1;
      if (reason === undefined) continue;
      if (count.unread === 0) count.reason = reason;
      count.unread += 1;
    }
  }

  /**
   * Why too few responses could be read, without a full stop; undefined if enough were.
   *
   * @param required percentage that must be judged completely
   */
  explain(required: number): string | undefined {
    const found = this.#counts.find(({ all, unread }) => unread * 100 > all * (100 - required));
    if (found === undefined) return undefined;
    const { of, all, unread, reason } = found;
    const percent = Math.floor((100 * (all - unread)) / all);
    return `${reason}; ${all - unread} of ${all} ${of} could be fully judged (${percent} %); at least ${required} % are required`;
  }
}
