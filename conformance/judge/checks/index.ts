import type { Check } from '../trace/check.ts';
import { bodyCheck } from './body.ts';
import { errorCheck } from './error.ts';
import { headerCheck } from './header.ts';
import { historyCheck } from './history.ts';
import { identityCheck } from './identity.ts';
import { limitCheck } from './limit.ts';
import { listCheck } from './list.ts';
import { notWrittenCheck } from './not-written.ts';
import { openQuestionCheck } from '../open-question/index.ts';
import { rateLimitCheck } from './rate-limit.ts';
import { robustnessCheck } from './robustness.ts';
import { stateCheck } from './state.ts';
import { statusCheck } from './status.ts';

/**
 * Every check, in the order of reports. The one list that the command line, the tests and the proof
 * work from.
 */
export const checks: readonly Check[] = [
  statusCheck,
  bodyCheck,
  headerCheck,
  errorCheck,
  listCheck,
  stateCheck,
  historyCheck,
  identityCheck,
  notWrittenCheck,
  rateLimitCheck,
  limitCheck,
  robustnessCheck,
  openQuestionCheck,
];
