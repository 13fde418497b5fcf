import { type ReceivedResponse, headerOf } from '../../conformance/index.ts';
import type { Entry } from './evidence.ts';

/** A wait that a response asks for. */
export interface Wait {
  readonly form: 'seconds' | 'date';
  /** The instant at which it is over, milliseconds since 1970, by the clock of the sandbox. */
  readonly until: number;
}

/**
 * The wait that `Retry-After` asks for (RFC 9110 section 10.2.3); undefined where it is absent, or
 * neither seconds nor a date.
 */
export function readRetryAfter({ response, exchange }: Entry, name: string): Wait | undefined {
  const text = response && headerOf(response, name);
  if (response === undefined || text === undefined) return undefined;
  if (/^\d+$/.test(text)) return { form: 'seconds', until: exchange.endedAt + Number(text) * 1000 };
  const date = readDate(text);
  return date === undefined
    ? undefined
    : { form: 'date', until: lawfulEnd(date, response, exchange.endedAt) };
}

/**
 * The wait until a reset that a response tells in seconds since 1970; undefined where it tells none.
 */
export function readReset({ response, exchange }: Entry, name: string): Wait | undefined {
  const text = response && headerOf(response, name);
  if (response === undefined || text === undefined || !/^\d+$/.test(text)) return undefined;
  return { form: 'date', until: lawfulEnd(Number(text) * 1000, response, exchange.endedAt) };
}

/**
 * Where the clock of the sandbox is not that of the `Date` of its responses, a client may go by
 * either: the earlier end is lawful.
 */
function lawfulEnd(instant: number, response: ReceivedResponse, endedAt: number): number {
  const date = readDate(headerOf(response, 'date') ?? '');
  return date === undefined ? instant : Math.min(instant, endedAt + Math.max(0, instant - date));
}

/** An IMF-fixdate (RFC 9110 section 5.6.7). */
function readDate(text: string): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const instant = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
