import type { ServiceBehaviour } from '../../service/behaviour.ts';
import type { Variant } from '../../subject/variant.ts';

const minute = 60_000;
const day = 86_400_000;
const lawful =
  'Limits / Rate limit headers: Reset is a Unix timestamp of the service, whose clock shows in Date (RFC 9110 section 6.6.1); no sentence holds it to the clock of the client.';

function skewed(id: string, summary: string, milliseconds: number): Variant {
  return {
    id: `clock-${id}`,
    summary,
    lawful,
    behaviour: () => ({ readClock: (now) => now + milliseconds }),
  };
}

const withoutDate: ServiceBehaviour['finish'] = (wireResponse) => ({
  ...wireResponse,
  headers: Object.fromEntries(
    Object.entries(wireResponse.headers).filter(([name]) => name !== 'Date'),
  ),
});

/** Clocks that are wrong, and clocks that nobody sees. */
export const clockVariants: readonly Variant[] = [
  skewed('day-ahead', 'The clock is a day ahead.', day),
  skewed('day-behind', 'The clock is a day behind.', -day),
  skewed('ten-minutes-ahead', 'The clock is ten minutes ahead.', 10 * minute),
  skewed('ten-minutes-behind', 'The clock is ten minutes behind.', -10 * minute),
  skewed(
    'half-a-second-off',
    'The clock is half a second ahead, so that no window ends at a full second of the client.',
    500,
  ),
  {
    id: 'clock-without-date',
    summary: 'Answers have no Date.',
    lawful:
      'RFC 9110 section 6.6.1: a server without a clock sends no Date; the interface does not name the header.',
    behaviour: () => ({ finish: withoutDate }),
  },
  {
    id: 'clock-without-date-ten-minutes-ahead',
    summary: 'Answers have no Date, and the clock is ten minutes ahead.',
    lawful,
    behaviour: () => ({ finish: withoutDate, readClock: (now) => now + 10 * minute }),
  },
  {
    id: 'clock-without-date-ten-minutes-behind',
    summary: 'Answers have no Date, and the clock is ten minutes behind.',
    lawful,
    behaviour: () => ({ finish: withoutDate, readClock: (now) => now - 10 * minute }),
  },
];
