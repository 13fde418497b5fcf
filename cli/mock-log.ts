import type { Exchange } from '../mock/index.ts';

/** One request as a line that a person can read: `10:31:04 200 GET /v1/pets?limit=2 listPets Free, 59 left, 0.4 ms`. Times are UTC. */
export function renderExchange(exchange: Exchange): string {
  const { at, status, method, target, operation, plan, rate, milliseconds, refusal } = exchange;
  const facts = [plan ?? 'no key', ...(rate === undefined ? [] : [`${rate.remaining} left`]), `${milliseconds.toFixed(1)} ms`];
  const line = `${clockTime(at)} ${status} ${method.padEnd(7)} ${printable(target)} ${operation ?? '-'} (${facts.join(', ')})`;
  return refusal === undefined ? line : `${line}\n         ${refusal.reason}: ${printable(refusal.message)}`;
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Nothing that a client sends may move the cursor of a terminal or grow without end. */
function printable(text: string): string {
  const shown = text.length > 300 ? `${text.slice(0, 300)}...` : text;
  return shown.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`);
}
