import type { Exchange } from '../mock/index.ts';

/** One request as a line that a person can read: `10:31:04 200 GET /v1/pets?limit=2 listPets (Free, 59 left, 0.4 ms)`. Times are UTC. */
export function renderExchange(exchange: Exchange): string {
  const { at, status, method, target, operation, plan, sandbox, rate, milliseconds } = exchange;
  const who = [...(sandbox === 'main' ? [] : [sandbox]), plan ?? 'no key'].join(' ');
  const facts = [who, ...(rate === undefined ? [] : [`${rate.remaining} left`]), `${milliseconds.toFixed(1)} ms`];
  const line = `${clockTime(at)} ${status} ${method.padEnd(7)} ${printable(target)} ${operation ?? '-'} (${facts.join(', ')})`;
  return [line, ...notesOf(exchange).map((note) => `         ${note}`)].join('\n');
}

/** One request as JSON for machines, without line ends and without its body; instants are dates (RFC 3339). */
export function renderExchangeJson(exchange: Exchange): string {
  const { at, rate, content: _content, ...others } = exchange;
  return JSON.stringify({ kind: 'request', at: new Date(at).toISOString(), ...others, rate: rate === undefined ? undefined : { ...rate, resetAt: new Date(rate.resetAt).toISOString() } });
}

/** What came of a request besides the wanted answer: a line for each. */
function notesOf({ refusal, fault, preferred, event }: Exchange): readonly string[] {
  return [
    ...(refusal === undefined ? [] : [`${refusal.reason}: ${printable(refusal.message)}`]),
    ...(fault === undefined ? [] : [`fault: ${fault.effect}${fault.breaks === undefined ? '' : `, which breaks the contract: ${fault.breaks}`}`]),
    ...(preferred === '' ? [] : [`preferred: ${printable(preferred)}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Nothing that a client sends may move the cursor of a terminal or grow without end. */
function printable(text: string): string {
  const shown = text.length > 300 ? `${text.slice(0, 300)}...` : text;
  return shown.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}
