import type { Quota, ServiceBehaviour } from '../../service/behaviour.ts';
import { count } from '../../service/limiter.ts';
import type { Variant } from '../../subject/variant.ts';

const format =
  'Limits / Gaps: format and unit of the `Retry-After` value are not shown (x-unspecified retry-after-format).';
const body =
  'Errors / Gaps: the body of a 429 response is not shown (x-unspecified rate-limit-body).';
const ban =
  'Limits / Exceeding the limit: repeated requests after a 429 may lead to a temporary ban, whose duration is not shown (x-unspecified ban-length).';

function waiting(
  id: string,
  summary: string,
  write: (quota: Quota, now: number) => string,
  further: Partial<ServiceBehaviour> = {},
): Variant {
  return {
    id: `retry-${id}`,
    summary,
    lawful: format,
    behaviour: () => ({ ...further, retryAfter: (quota, { now }) => write(quota, now) }),
  };
}

function refusing(id: string, summary: string, text: string, type: string): Variant {
  const behaviour = (): Partial<ServiceBehaviour> => ({
    finish: (wireResponse) => {
      if (wireResponse.status !== 429) return wireResponse;
      const others = Object.entries(wireResponse.headers).filter(
        ([name]) => name !== 'Content-Type',
      );
      return {
        ...wireResponse,
        headers: {
          ...Object.fromEntries(others),
          ...(type === '' ? {} : { 'Content-Type': type }),
        },
        bytes: Buffer.from(text),
      };
    },
  });
  return { id: `retry-body-${id}`, summary, lawful: body, behaviour };
}

const writeDate = ({ reset }: Quota): string => new Date(reset * 1000).toUTCString();

/** What a 429 looks like, and how long it lasts. */
export const retryVariants: readonly Variant[] = [
  waiting('date', 'Retry-After is an HTTP-date.', writeDate),
  waiting(
    'date-day-ahead',
    'Retry-After is an HTTP-date of a clock that is a day ahead.',
    writeDate,
    { readClock: (now) => now + 86_400_000 },
  ),
  waiting(
    'date-day-behind',
    'Retry-After is an HTTP-date of a clock that is a day behind.',
    writeDate,
    { readClock: (now) => now - 86_400_000 },
  ),
  waiting('whole-window', 'Retry-After is always 60, whatever the window has left.', () => '60'),
  waiting('margin', 'Retry-After is three seconds more than the window has left.', (quota) =>
    String(quota.retryAfter + 3),
  ),
  waiting('milliseconds', 'Retry-After is in milliseconds.', (quota) =>
    String(quota.retryAfter * 1000),
  ),
  waiting('unix-time', 'Retry-After is the Unix time of Reset.', (quota) => String(quota.reset)),
  refusing('empty', 'A 429 has no body.', '', ''),
  refusing(
    'text',
    'A 429 is a sentence in plain text.',
    'Too many requests: please wait.',
    'text/plain; charset=utf-8',
  ),
  refusing(
    'html',
    'A 429 is a web page of the gateway.',
    '<!doctype html><title>429</title><h1>Too many requests</h1>',
    'text/html',
  ),
  refusing(
    'other-json',
    'A 429 is JSON of another shape.',
    '{"error":{"type":"rate_limit","retry":true}}',
    'application/json',
  ),
  {
    id: 'retry-ban-minute',
    summary:
      'The fifth request over the limit in one window bans the key for a minute more, which Retry-After tells.',
    lawful: ban,
    behaviour: () => banning(60),
  },
  {
    id: 'retry-ban-hour',
    summary:
      'The fifth request over the limit in one window bans the key for an hour, which Retry-After tells.',
    lawful: ban,
    behaviour: () => banning(3_600),
  },
];

function banning(seconds: number): Partial<ServiceBehaviour> {
  let excess = 0;
  let until = 0;
  return {
    count: (call, all) => {
      const quota = count(call, all);
      if (call.key === undefined) return quota;
      if (quota.allowed && call.now >= until) excess = 0;
      else excess += 1;
      if (excess === 5) until = call.now + (quota.retryAfter + seconds) * 1000;
      if (call.now >= until) return quota;
      return {
        ...quota,
        allowed: false,
        remaining: 0,
        retryAfter: Math.ceil((until - call.now) / 1000),
      };
    },
  };
}
