import { doubtfulFieldKinds, fieldKinds, oddFieldKinds } from './fields.ts';
import { doubtfulFramingKinds, framingKinds } from './framing.ts';
import { doubtfulJsonKinds, jsonKinds, oddJsonKinds } from './json.ts';
import type { Kind } from './kind.ts';
import { validKinds } from './valid.ts';
import { largeKinds, sizeKinds } from './size.ts';

export { listenHostile, type Spoil } from './listener.ts';
export type { Kind } from './kind.ts';
export { renderWhole } from './message.ts';

/** No target that does so in its successes may be said to conform. */
export const hostileKinds: readonly Kind[] = [
  ...framingKinds,
  ...sizeKinds,
  ...jsonKinds,
  ...fieldKinds,
];

/** A target that does so conforms, if it conforms else. */
export const oddKinds: readonly Kind[] = [
  ...validKinds,
  ...oddFieldKinds,
  ...oddJsonKinds,
  ...largeKinds,
];

/** What such a target is, others may see otherwise: the run has to come to its end. */
export const doubtfulKinds: readonly Kind[] = [
  ...doubtfulFramingKinds,
  ...doubtfulFieldKinds,
  ...doubtfulJsonKinds,
];
