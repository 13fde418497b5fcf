import type { Parts, ServiceBehaviour } from '../../service/behaviour.ts';
import { type Variant, createVariants } from '../../subject/variant.ts';

const minute = 60_000;
const day = 86_400_000;
const valid =
  'Limits / Rate limit headers: Reset is a Unix timestamp of the service, whose clock shows in Date (RFC 9110 section 6.6.1); no sentence holds it to the clock of the client.';
const noDate =
  'RFC 9110 section 6.6.1: a server without a clock sends no Date; the interface does not name the header.';

const finish: ServiceBehaviour['finish'] = ({
  headers: { Date: _date, ...headers },
  ...others
}) => ({ ...others, headers });

const skew = (ahead: number): Parts => ({ readClock: (now) => now + ahead });

/** Clocks that are wrong, and clocks that nobody sees. */
export const clockVariants: readonly Variant[] = createVariants('clock', valid, {
  'day-ahead': ['The clock is a day ahead.', skew(day)],
  'day-behind': ['The clock is a day behind.', skew(-day)],
  'ten-minutes-ahead': ['The clock is ten minutes ahead.', skew(10 * minute)],
  'ten-minutes-behind': ['The clock is ten minutes behind.', skew(-10 * minute)],
  'half-a-second-off': [
    'The clock is half a second ahead, so that no window ends at a full second of the client.',
    skew(500),
  ],
  'without-date': ['Answers have no Date.', { finish }, noDate],
  'without-date-ten-minutes-ahead': [
    'Answers have no Date, and the clock is ten minutes ahead.',
    { ...skew(10 * minute), finish },
  ],
  'without-date-ten-minutes-behind': [
    'Answers have no Date, and the clock is ten minutes behind.',
    { ...skew(-10 * minute), finish },
  ],
});
