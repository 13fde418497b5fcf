import type { Parts, WireResponse } from '../service/behaviour.ts';
import { scatter } from '../subject/scatter.ts';
import { type Variant, createVariants } from '../subject/variant.ts';

const http = 'RFC 9112 section 6: how the body of a response is framed carries no meaning.';
const time = 'The interface names no time within which a response has to come.';

const deliver = (delivery: WireResponse['delivery']): Parts => ({
  finish: (wireResponse) => ({ ...wireResponse, delivery }),
});

export const deliveryVariants: readonly Variant[] = createVariants('delivery', time, {
  chunked: [
    'Bodies come in chunks of seven bytes, which tear characters.',
    deliver('chunked'),
    http,
  ],
  'until-close': [
    'A body ends where the connection does, without a length.',
    deliver('closed'),
    http,
  ],
  'early-hints': [
    'A 103 comes before each response.',
    deliver('hinted'),
    'RFC 9110 section 15.2: a client takes any number of interim answers before the final one.',
  ],
  slow: ['Each response takes 50 milliseconds.', { arrive: ({ sleep }) => sleep(50) }],
  jittery: [
    'Answers take 0 to 60 milliseconds, so that later requests overtake earlier ones.',
    { arrive: ({ sleep, ordinal }) => sleep(scatter(ordinal) % 60) },
  ],
  'slow-once': [
    'The first request takes 300 milliseconds: the service has to wake up.',
    { arrive: ({ sleep, ordinal }) => (ordinal === 1 ? sleep(300) : undefined) },
  ],
  'late-finish': [
    'Answers are made at once and sent 40 milliseconds later.',
    { finish: async (wireResponse, { sleep }) => sleep(40).then(() => wireResponse) },
  ],
});
