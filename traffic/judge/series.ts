import type { Contract } from '../../contract/contract.ts';
import { type Exchange, type Finding, judgeSeries } from '../../conformance/index.ts';

/** Exchanges of one key that are judged together, and keys that are followed. */
const bounds = { exchanges: 200, keys: 64 } as const;

/** Gathers the exchanges of each key, for what their rate-limit headers say of one another. */
export interface Series {
  /** @returns what the exchanges of the key show, once there are enough of them */
  readonly add: (key: string, exchange: Exchange) => readonly Finding[];
  /** What those show that are left. */
  readonly end: () => readonly Finding[];
}

export function createSeries(contract: Contract): Series {
  const byKey = new Map<string, Exchange[]>();
  return {
    add: (key, exchange) => {
      if (contract.rateLimit === undefined) return [];
      const gathered = byKey.get(key) ?? [];
      gathered.push(withoutBodies(exchange));
      byKey.delete(key);
      byKey.set(key, gathered);
      if (gathered.length >= bounds.exchanges) {
        byKey.delete(key);
        return judgeGathered(contract, gathered);
      }
      const [oldest] = byKey.size > bounds.keys ? byKey : [];
      if (oldest === undefined) return [];
      byKey.delete(oldest[0]);
      return judgeGathered(contract, oldest[1]);
    },
    end: () => {
      const findings = [...byKey.values()].flatMap((each) => judgeGathered(contract, each));
      byKey.clear();
      return findings;
    },
  };
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
