import { listSettingFlags, requiredShare } from '../../conformance/index.ts';
import type { FlagTable } from './flags.ts';

/** The options of the commands that run the suite: all that settings of a run have. */
export const runFlags = listSettingFlags();

/** Of the commands that judge traffic. */
export const trafficFlags = {
  waivers: {
    value: '<file>',
    help: 'JSON file of known failures, each with requirement, reason, owner and expiry date.',
  },
  requireTested: {
    ...runFlags.requireTested,
    help: `Traffic is inconclusive if less than this percentage of its exchanges, or of its successful ones, could be checked in full. Default: ${requiredShare}.`,
  },
} satisfies FlagTable;
