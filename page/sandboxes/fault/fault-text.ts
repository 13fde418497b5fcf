import type { Fault, FaultRule } from '../../session/types.ts';

/** What a fault does, as a sentence: `listPets responds 503 with Retry-After 2.` */
export function describeRule(rule: FaultRule): string {
  const { operation, probability = 1 } = rule;
  const whose = operation ?? 'Every operation';
  const share = probability === 1 ? '' : `, in ${renderShare(probability)} of its requests`;
  return `${whose} ${effectsOf(rule).join(' and ')}${share}.`;
}

/** How often it was applied, and how often it will be: `1 of 3 requests`. */
export function describeUse({ applied, count }: Fault): string {
  if (count === undefined) return `applied ${applied} ${applied === 1 ? 'time' : 'times'}`;
  return `applied to ${applied} of ${count}${applied >= count ? ', spent' : ''}`;
}

function effectsOf({ status, retryAfter, delay, connection, body, drip }: FaultRule): string[] {
  const effects: string[] = [];
  if (status !== undefined)
    effects.push(
      `responds ${status}${retryAfter === undefined ? '' : ` with Retry-After ${retryAfter}`}`,
    );
  if (delay !== undefined)
    effects.push(
      `waits ${delay.from === delay.to ? '' : `${delay.from} to `}${delay.to} milliseconds`,
    );
  if (connection === 'reset') effects.push('does its work, then resets the connection');
  if (connection === 'silence') effects.push('does its work and never responds');
  if (body === 'truncated') effects.push('breaks off in the middle of the body');
  if (body === 'malformed') effects.push('sends a body that is no JSON');
  if (drip !== undefined)
    effects.push(`sends ${drip.bytes} bytes every ${drip.milliseconds} milliseconds`);
  return effects;
}

function renderShare(probability: number): string {
  return `${Number((probability * 100).toPrecision(3))} %`;
}
