import type { Contract } from '../../contract/contract.ts';
import {
  listRequirements,
  type Requirement,
  type Exchange,
  type Finding,
  isPassive,
  type Reason,
  settleFindings,
  type Verdict,
} from '../../conformance/index.ts';

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

  /** The verdicts, and the exchanges that they name, numbered again. */
  settle(contract: Contract): Settled {
    return settle(contract, this.#counts, this.#kept);
  }

  #note(findings: readonly Finding[]) {
    const failures: Failed[] = [];
    let isProof = false;
    for (const finding of findings) {
      if (finding.kind === 'open') continue;
      const count = this.#counts.get(finding.requirement) ?? createCount();
      this.#counts.set(finding.requirement, count);
      const seen = (count.seen[finding.kind] += 1);
      if (seen > (finding.kind === 'failed' ? bounds.failed : bounds.passed)) continue;
      count.kept.push(finding);
      isProof = true;
      if (finding.kind === 'failed' && seen === 1) failures.push(finding);
    }
    return { failures, isProof };
  }
}

function createCount(): Count {
  return { kept: [], seen: { passed: 0, failed: 0, unclear: 0, excused: 0 } };
}

function settle(
  contract: Contract,
  counts: ReadonlyMap<string, Count>,
  kept: ReadonlyMap<number, Exchange>,
): Settled {
  const order = [...kept.keys()].toSorted((one, other) => one - other);
  const places = new Map(order.map((index, place) => [index, place]));
  const verdicts = listRequirements(contract).map((requirement) => {
    const found = counts.get(requirement.id)?.kept ?? [];
    const findings = found.flatMap((finding) => renumber(finding, places));
    return settleFindings(requirement, findings, (each) => whyNotTested(each, contract));
  });
  const failures = [...counts].flatMap(([id, { seen }]) =>
    seen.failed > bounds.failed ? [[id, seen.failed] as const] : [],
  );
  const exchanges = order.flatMap((index, place) => {
    const exchange = kept.get(index);
    return exchange === undefined ? [] : [{ ...exchange, index: place }];
  });
  return { verdicts, exchanges, failures: new Map(failures) };
}

/** A finding with the places of its exchanges among those kept; none where its own is not. */
function renumber(finding: Judged, places: ReadonlyMap<number, number>): readonly Judged[] {
  const exchange = places.get(finding.exchange);
  if (exchange === undefined) return [];
  if (finding.kind !== 'failed') return [{ ...finding, exchange }];
  const others = finding.others.flatMap((other) => places.get(other) ?? []);
  return [{ ...finding, exchange, others }];
}

function whyNotTested(requirement: Requirement, contract: Contract): Reason {
  return isPassive(requirement, contract)
    ? { kind: 'not-shown' }
    : {
        kind: 'never-asked',
        text: 'recorded traffic cannot show it (conform tests it)',
      };
}

function lengthOf({ request, outcome }: Exchange): number {
  const received = outcome.kind === 'answered' ? outcome.response.body.length : 0;
  return received + (request.body?.length ?? 0);
}

function withoutLongBodies(exchange: Exchange): Exchange {
  const { request, outcome } = exchange;
  if (lengthOf(exchange) <= bounds.body) return exchange;
  return {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: cut(request.body) },
    outcome:
      outcome.kind === 'answered'
        ? { ...outcome, response: { ...outcome.response, body: cut(outcome.response.body) } }
        : outcome,
  };
}

function cut(body: string): string {
  return body.length <= bounds.body ? body : `[not stored: ${body.length} characters]`;
}
