import type { Contract } from '../../contract/contract.ts';
import { type Exchange, type Finding, judgeSeries } from '../../conformance/index.ts';

/** Exchanges of one key that are judged together, and keys that are followed. */
const bounds = { exchanges: 200, keys: 64 } as const;

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
    gathered.push(withoutBodies(exchange));
    this.#byKey.delete(key);
    this.#byKey.set(key, gathered);
    if (gathered.length >= bounds.exchanges) return this.#judge(key);
    const [oldest] = this.#byKey.size > bounds.keys ? this.#byKey.keys() : [];
    return oldest === undefined ? [] : this.#judge(oldest);
  }

  /** What those show that are left. */
  end(): readonly Finding[] {
    return [...this.#byKey.keys()].flatMap((key) => this.#judge(key));
  }

  #judge(key: string): readonly Finding[] {
    const gathered = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    return judgeGathered(this.#contract, gathered);
  }
}

/** Requests that were under way together may have been counted in any order: they are a group. */
function judgeGathered(contract: Contract, gathered: readonly Exchange[]): readonly Finding[] {
  const sorted = gathered.toSorted((one, other) => one.sentAt - other.sentAt);
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
  return judgeSeries(contract, grouped);
}

function withoutBodies(exchange: Exchange): Exchange {
  const { request, outcome } = exchange;
  if (outcome.kind !== 'answered') return exchange;
  const response = { ...outcome.response, body: '' };
  return {
    ...exchange,
    request: { ...request, body: undefined },
    outcome: { kind: 'answered', response },
  };
}
