import { type Html, html } from '../../../view/element.ts';
import { Facts } from '../../../view/facts.ts';
import type { Exchange } from '../../session/types.ts';

/** What there is to know of an exchange besides its messages. */
export function ExchangeFacts({
  exchange,
  hasOwnTime,
}: {
  exchange: Exchange;
  hasOwnTime: boolean;
}): Html {
  const { at, sandbox, plan, operation, credential, rate, retryAfter, preferred, event } = exchange;
  const { milliseconds, callbacks = [], index } = exchange;
  const facts: (readonly [name: string, value: Html])[] = [
    ['Time', hasOwnTime ? `${at}, by the clock of ${sandbox}, which was moved` : at],
    ['Duration', `${milliseconds.toFixed(2)} ms`],
    ['Operation', operation ?? 'none of the document'],
    ['Sandbox', `${sandbox}, request ${index}`],
    ['Key', renderKey(credential, plan)],
  ];
  if (rate !== undefined)
    facts.push([
      'Rate limit',
      `${rate.remaining.toLocaleString('en')} of ${rate.limit.toLocaleString('en')} left, reset at ${rate.resetAt}`,
    ]);
  if (retryAfter !== undefined) facts.push(['Retry-After', retryAfter]);
  if (preferred !== undefined) facts.push(['Preference followed', preferred]);
  if (event !== undefined) facts.push(['Event sent', event]);
  for (const { name, url } of callbacks)
    facts.push([`Callback ${name}`, html`<code>${url}</code>`]);
  return html`<${Facts} facts=${facts} />`;
}

function renderKey(credential: Exchange['credential'], plan: string | undefined): string {
  if (credential === 'missing') return 'none';
  if (credential === 'invalid') return 'one that the mock does not know';
  return plan === undefined || plan === '' ? 'valid' : `valid, plan ${plan}`;
}
