import { careful, readRetryAfter } from '../base/careful.ts';
import type { Attempt, Manner } from '../base/session.ts';
import { type ClientMutant, mutant } from './mutant.ts';

const seconds = 'rate-limit.retry-after-seconds';
const date = 'rate-limit.retry-after-date';
const both = [seconds, date, 'rate-limit.back-off', 'rate-limit.ban'] as const;

/** Waits for a 429 as it is told, and for nothing else. */
function after429(wait: (attempt: Attempt) => number | undefined): Partial<Manner> {
  return {
    retry: (attempt) => (attempt.response?.status === 429 ? wait(attempt) : careful.retry(attempt)),
    pause: (attempt) => (attempt.response?.status === 429 ? 0 : careful.pause(attempt)),
  };
}

const own: Partial<Manner> = { shape: (request) => ({ ...request, connection: 'own' }) };
const fresh: Partial<Manner> = { shape: (request) => ({ ...request, connection: 'new' }) };

/** At most so many tries. */
function limited(most: number, wait: (attempt: Attempt) => number): Partial<Manner> {
  return after429((attempt) => (attempt.tries < most ? wait(attempt) : undefined));
}

function isDate({ response }: Attempt): boolean {
  return !/^\d+$/.test(response?.headers['retry-after'] ?? '');
}

/** What a 429 says, without the allowance for timers. */
function told(attempt: Attempt): number {
  return readRetryAfter(attempt) - 20;
}

/** Clients that do not wait as a 429 says. */
export const waitMutants: readonly ClientMutant[] = [
  mutant(
    'retry-at-once',
    both,
    limited(6, () => 0),
  ),
  mutant('retry-at-once-each-on-its-own-connection', both, { ...limited(6, () => 0), ...own }),
  mutant('retry-at-once-each-on-a-new-connection', both, { ...limited(12, () => 0), ...fresh }),
  mutant(
    'retry-once-at-once',
    both,
    limited(2, () => 0),
  ),
  mutant('retry-once-at-once-on-its-own-connection', both, { ...limited(2, () => 0), ...own }),
  mutant(
    'retry-once-at-once-and-wait-then',
    both,
    after429((attempt) => (attempt.tries === 1 ? 0 : careful.retry(attempt))),
  ),
  mutant(
    'retry-after-50-ms',
    both,
    limited(8, () => 50),
  ),
  mutant('retry-after-50-ms-on-its-own-connection', both, { ...limited(8, () => 50), ...own }),
  mutant(
    'retry-after-150-ms',
    both,
    limited(8, () => 150),
  ),
  mutant(
    'retry-after-one-second',
    both,
    limited(8, () => 1000),
  ),
  mutant(
    'retry-exponentially-from-100-ms',
    both,
    limited(8, ({ tries }) => 50 * 2 ** tries),
  ),
  mutant(
    'retry-exponentially-capped-at-one-second',
    both,
    limited(8, ({ tries }) => Math.min(1000, 200 * 2 ** tries)),
  ),
  mutant(
    'retry-linearly',
    both,
    limited(6, ({ tries }) => 300 * tries),
  ),
  mutant(
    'retry-with-full-jitter',
    both,
    limited(6, (attempt) => attempt.random() * told(attempt) * 0.8),
  ),
  mutant(
    'retry-after-half-the-wait',
    both,
    limited(6, (attempt) => told(attempt) / 2),
  ),
  mutant(
    'retry-300-ms-early',
    [seconds, 'rate-limit.back-off'],
    limited(6, (attempt) => told(attempt) - 300),
  ),
  mutant(
    'retry-after-read-as-milliseconds',
    [seconds, 'rate-limit.back-off', 'rate-limit.ban'],
    limited(6, (attempt) => (isDate(attempt) ? told(attempt) : told(attempt) / 1000)),
  ),
  mutant(
    'retry-after-seconds-not-read',
    [seconds, 'rate-limit.back-off', 'rate-limit.ban'],
    limited(6, (attempt) => (isDate(attempt) ? told(attempt) : 200)),
  ),
  mutant(
    'retry-after-date-not-read',
    [date],
    limited(6, (attempt) => (isDate(attempt) ? 200 : (careful.retry(attempt) ?? 0))),
  ),
  mutant(
    'retry-after-date-in-another-time-zone',
    [date],
    limited(6, (attempt) =>
      isDate(attempt) ? Math.max(0, told(attempt) - 3_600_000) : (careful.retry(attempt) ?? 0),
    ),
  ),
  mutant(
    'retry-after-read-from-another-header',
    both,
    limited(6, ({ response }) => Number(response?.headers['x-retry-after'] ?? 0)),
  ),
  mutant(
    'retry-until-banned',
    ['rate-limit.ban', ...both],
    limited(20, () => 0),
  ),
  mutant('retry-until-banned-on-own-connections', ['rate-limit.ban', ...both], {
    ...limited(20, () => 0),
    ...own,
  }),
  mutant(
    'retry-until-banned-every-100-ms',
    ['rate-limit.ban', ...both],
    limited(20, () => 100),
  ),
];
