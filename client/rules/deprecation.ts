import { type Evidence, nameRequest } from './evidence.ts';
import { type RuleFinding, failed } from './rule.ts';

/** A deprecated operation is better not used, and from its sunset on not at all. */
export function* judgeDeprecation({ contract, entries }: Evidence): Generator<RuleFinding> {
  for (const { id, deprecation } of contract.operations) {
    if (deprecation === undefined) continue;
    const sunset = Date.parse(deprecation.sunset ?? '');
    for (const entry of entries) {
      // Without a sunset it is NaN, which no instant reaches.
      const state = entry.exchange.sentAt >= sunset ? 'removed' : 'deprecated';
      const rule = `client/${id}.${state}` as const;
      if (entry.operation?.id !== id) yield { kind: 'passed', rule, exchange: entry.index };
      else {
        const expected = `${deprecation.successor ?? 'another operation'} in its place`;
        const received = `${nameRequest(entry)} on ${new Date(entry.exchange.sentAt).toISOString().slice(0, 10)}`;
        yield failed(rule, entry.index, [], { expected, received });
      }
    }
  }
}
