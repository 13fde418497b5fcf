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
  type Verdict,
} from '../conformance/index.ts';

/** Exchanges that are kept of each requirement, beside the first ones of all. */
export const bounds = {
  /** The first exchanges are kept as they are, up to so many, and bytes of bodies. */
  first: 500,
  firstBytes: 16 * 1024 * 1024,
  /** Those in which a requirement failed. */
  failed: 5,
  passed: 2,
  /** Beyond so many bytes of bodies, long ones of failures are not kept either. */
  bytes: 32 * 1024 * 1024,
  /** Of longer bodies of other exchanges only the length is kept. */
  body: 64 * 1024,
  /** Exchanges of one key that are judged together, and keys that are followed. */
  together: 200,
  keys: 64,
  /** Different notes of one kind; the rest is counted together. */
  notes: 50,
} as const;

type Judged = Exclude<Finding, { readonly kind: 'open' }>;

interface Count {
  readonly kept: Judged[];
  readonly seen: Record<Judged['kind'], number>;
}

export type Failed = Extract<Finding, { readonly kind: 'failed' }>;

export interface Settled {
  readonly verdicts: readonly Verdict[];
  readonly exchanges: readonly Exchange[];
  /** How often each requirement failed that did so more often than exchanges are kept. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Counts what exchanges show, and keeps what proves it: the memory that it takes is bounded. */
export class Tally {
  readonly #counts = new Map<string, Count>();
  readonly #kept = new Map<number, Exchange>();
  #bytes = 0;

  /** @returns the findings of requirements of which it is the first failure */
  add(exchange: Exchange, findings: readonly Finding[]): readonly Failed[] {
    const { failures, isProof } = this.#note(findings);
    const isEarly = this.#kept.size < bounds.first && this.#bytes < bounds.firstBytes;
    if (!isEarly && !isProof) return failures;
    const isFailure = findings.some(({ kind }) => kind === 'failed');
    const isWhole = isEarly || (isFailure && this.#bytes < bounds.bytes);
    const slim = isWhole ? exchange : withoutLongBodies(exchange);
    this.#bytes += lengthOf(slim);
    this.#kept.set(exchange.index, slim);
    return failures;
  }

  /** What was found in exchanges that were added before, which are kept as far as they still are. */
  addLater(findings: readonly Finding[]): readonly Failed[] {
    return this.#note(
      findings.filter((finding) => finding.kind === 'open' || this.#kept.has(finding.exchange)),
    ).failures;
  }

  #note(findings: readonly Finding[]) {
    const failures: Failed[] = [];
    let isProof = false;
    for (const finding of findings) {
      if (finding.kind === 'open') continue;
      let count = this.#counts.get(finding.requirement);
      if (count === undefined) {
        count = { kept: [], seen: { passed: 0, failed: 0, unclear: 0, excused: 0 } };
        this.#counts.set(finding.requirement, count);
      }
      const seen = (count.seen[finding.kind] += 1);
      if (seen > (finding.kind === 'failed' ? bounds.failed : bounds.passed)) continue;
      count.kept.push(finding);
      isProof = true;
      if (finding.kind === 'failed' && seen === 1) failures.push(finding);
    }
    return { failures, isProof };
  }

  /** The verdicts, and the exchanges that they name, numbered again. */
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

function withBodies(exchange: Exchange, change: (body: string) => string | undefined): Exchange {
  const { request, outcome } = exchange;
  const body = request.body === undefined ? undefined : change(request.body);
  if (outcome.kind !== 'answered') return { ...exchange, request: { ...request, body } };
  const response = { ...outcome.response, body: change(outcome.response.body) ?? '' };
  return { ...exchange, request: { ...request, body }, outcome: { kind: 'answered', response } };
}

/** Gathers the exchanges of each key, for what their rate-limit headers say of one another. */
export class Series {
  readonly #byKey = new Map<string, Exchange[]>();
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** @returns what the exchanges of the key show, once there are enough of them */
  add(key: string, exchange: Exchange): readonly Finding[] {
    if (this.#contract.rateLimit === undefined) return [];
    const gathered = this.#byKey.get(key) ?? [];
    gathered.push(withBodies(exchange, () => undefined));
    this.#byKey.delete(key);
    this.#byKey.set(key, gathered);
    if (gathered.length >= bounds.together) return this.#judge(key);
    const [oldest] = this.#byKey.size > bounds.keys ? this.#byKey.keys() : [];
    return oldest === undefined ? [] : this.#judge(oldest);
  }

  /** What those show that are left. */
  end(): readonly Finding[] {
    return [...this.#byKey.keys()].flatMap((key) => this.#judge(key));
  }

  /** Requests that were under way together may have been counted in any order: they are a group. */
  #judge(key: string): readonly Finding[] {
    const sorted = (this.#byKey.get(key) ?? []).toSorted((one, two) => one.sentAt - two.sentAt);
    this.#byKey.delete(key);
    let latest = -Infinity;
    const isLate = sorted.map(({ sentAt, endedAt }) => {
      const overlaps = sentAt <= latest;
      latest = Math.max(latest, endedAt);
      return overlaps;
    });
    const grouped = sorted.map((exchange, at) => ({
      ...exchange,
      group: isLate[at] === true || isLate[at + 1] === true ? 'together' : undefined,
    }));
    return judgeSeries(this.#contract, grouped);
  }
}

/** Something that is reported of traffic and fails nobody. */
export interface TrafficNote {
  /**
   * `request`: a client's request breaks the document; `status`: a status that the operation does
   * not list; `outside`: no operation of the document; `not-judged`: why exchanges, or parts, are not.
   */
  readonly kind: 'request' | 'status' | 'outside' | 'not-judged';
  /** One clause, without its full stop. */
  readonly sentence: string;
  readonly count: number;
  /** The first exchange of the kind: `GET /pets?limit=0`. */
  readonly example: string;
}

/** Counts notes by their sentences. */
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

  /** The most frequent first. */
  list(): readonly TrafficNote[] {
    return [...this.#notes.values()].toSorted((one, other) => other.count - one.count);
  }
}

/**
 * Counts the exchanges of operations whose responses could be read, and those whose could not: too
 * large, not decodable, cut, not recorded, or none came.
 */
export class UnreadResponses {
  readonly #counts = [
    { of: 'exchanges of its operations', all: 0, unread: 0, reason: '' },
    { of: 'successes', all: 0, unread: 0, reason: '' },
  ];

  /** @param reason why it could not be read, as a clause without its full stop; undefined where it was */
  add(isSuccess: boolean, reason?: string): void {
    for (const count of isSuccess ? this.#counts : this.#counts.slice(0, 1)) {
      count.all += 1;
      if (reason === undefined) continue;
      if (count.unread === 0) count.reason = reason;
      count.unread += 1;
    }
  }

  /**
   * Why so many say too little of the target, without a full stop; undefined where they do not.
   * @param required percent of them that have to be judged to their end
   */
  explain(required: number): string | undefined {
    const found = this.#counts.find(({ all, unread }) => unread * 100 > all * (100 - required));
    if (found === undefined) return undefined;
    const { of, all, unread, reason } = found;
    const percent = Math.floor((100 * (all - unread)) / all);
    return `${reason}; ${all - unread} of ${all} ${of} could be fully judged (${percent} %); at least ${required} % are required`;
  }
}
