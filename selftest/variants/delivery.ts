import type { WireResponse } from '../service/behaviour.ts';
import { scatter } from '../service/scatter.ts';
import type { Variant } from '../subject/variant.ts';

const http = 'RFC 9112 section 6: how the body of a response is framed carries no meaning.';
const time = 'The interface names no time within which a response has to come.';

function delivered(
  id: string,
  summary: string,
  delivery: WireResponse['delivery'],
  lawful: string = http,
): Variant {
  return {
    id: `delivery-${id}`,
    summary,
    lawful,
    behaviour: () => ({ finish: (wireResponse) => ({ ...wireResponse, delivery }) }),
  };
}

/** How the bytes come. */
export const deliveryVariants: readonly Variant[] = [
  delivered('chunked', 'Bodies come in chunks of seven bytes, which tear characters.', 'chunked'),
  delivered('until-close', 'A body ends where the connection does, without a length.', 'closed'),
  delivered(
    'early-hints',
    'A 103 comes before each response.',
    'hinted',
    'RFC 9110 section 15.2: a client takes any number of interim answers before the final one.',
  ),
  {
    id: 'delivery-slow',
    summary: 'Each response takes 50 milliseconds.',
    lawful: time,
    behaviour: () => ({ arrive: ({ sleep }) => sleep(50) }),
  },
  {
    id: 'delivery-jittery',
    summary: 'Answers take 0 to 60 milliseconds, so that later requests overtake earlier ones.',
    lawful: time,
    behaviour: () => ({ arrive: ({ sleep, ordinal }) => sleep(scatter(ordinal) % 60) }),
  },
  {
    id: 'delivery-slow-once',
    summary: 'The first request takes 300 milliseconds: the service has to wake up.',
    lawful: time,
    behaviour: () => ({ arrive: ({ sleep, ordinal }) => (ordinal === 1 ? sleep(300) : undefined) }),
  },
  {
    id: 'delivery-late-finish',
    summary: 'Answers are made at once and sent 40 milliseconds later.',
    lawful: time,
    behaviour: () => ({
      finish: async (wireResponse, { sleep }) => sleep(40).then(() => wireResponse),
    }),
  },
];
