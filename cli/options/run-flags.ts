import { listSettingFlags, requiredShare } from '../../conformance/index.ts';
import type { FlagTable } from './flags.ts';

/** The options of commands that run the suite: every setting of a run. */
export const runFlags = listSettingFlags();

/** The options of commands that judge traffic. */
export const trafficFlags = {
  waivers: {
    value: '<file>',
    help: 'JSON file of known failures, each with requirement, reason, owner and expiry date.',
  },
  requireTested: {
    ...runFlags.requireTested,
    help: `The result is inconclusive if less than this percentage of the exchanges, or of the successful ones, could be checked in full. Default: ${requiredShare}.`,
  },
} satisfies FlagTable;
