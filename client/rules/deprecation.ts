import { type Evidence, nameRequest } from './evidence.ts';
import type { Finding } from './rule.ts';

/** A deprecated operation is better not used, and from its sunset on not at all. */
export function* judgeDeprecation({ contract, entries }: Evidence): Generator<Finding> {
  for (const { id, deprecation } of contract.operations) {
    if (deprecation === undefined) continue;
    const sunset =
      deprecation.sunset === undefined ? Number.POSITIVE_INFINITY : Date.parse(deprecation.sunset);
    for (const entry of entries) {
      const isRemoved = entry.exchange.sentAt >= sunset;
      const rule = isRemoved
        ? (`client/${id}.removed` as const)
        : (`client/${id}.deprecated` as const);
      if (entry.operation?.id !== id) yield { kind: 'passed', rule, exchange: entry.index };
      else
        yield {
          kind: 'failed',
          rule,
          exchange: entry.index,
          others: [],
          expected: `${deprecation.successor ?? 'another operation'} in its place`,
          received: `${nameRequest(entry)} on ${new Date(entry.exchange.sentAt).toISOString().slice(0, 10)}`,
        };
    }
  }
}
