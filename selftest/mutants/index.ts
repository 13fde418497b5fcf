import { authFaults } from './auth.ts';
import { bodyMemberFaults } from './body/member.ts';
import { bodyShapeFaults } from './body/shape.ts';
import { bodyTextFaults } from './body/text.ts';
import { bodyValueFaults } from './body/value.ts';
import { concurrencyFaults } from './concurrency.ts';
import { contentFaults } from './body/content-type.ts';
import { deepFaults } from './fuzz.ts';
import { errorFormFaults } from './error/form.ts';
import { errorMemberFaults } from './error/member.ts';
import { errorRefusalFaults } from './error/refusal.ts';
import { headerFaults } from './header.ts';
import { identifierFaults } from './state/identifier.ts';
import { listFaults } from './state/list.ts';
import { numberFaults } from './body/number.ts';
import { oneOperationFaults } from './one-operation.ts';
import { parameterFaults } from './parameter.ts';
import { rateLimitLimitFaults } from './rate-limit/limit.ts';
import { rateLimitRefusalFaults } from './rate-limit/refusal.ts';
import { rateLimitRemainingFaults } from './rate-limit/remaining.ts';
import { rateLimitResetFaults } from './rate-limit/reset.ts';
import { rateLimitRetryFaults } from './rate-limit/retry.ts';
import { requestPresenceFaults } from './request/presence.ts';
import { requestTypeFaults } from './request/type.ts';
import { robustnessFaults } from './robustness.ts';
import { stateEchoFaults } from './state/echo.ts';
import { stateWrittenFaults } from './state/written.ts';
import { statusFaults } from './status.ts';
import { textFaults } from './body/text-values.ts';
import type { Fault } from '../subject/mutant.ts';
import { withNeeds } from './needs.ts';

/** Every deliberate fault. */
export const faults: readonly Fault[] = [
  ...authFaults,
  ...bodyMemberFaults,
  ...bodyShapeFaults,
  ...bodyTextFaults,
  ...bodyValueFaults,
  ...concurrencyFaults,
  ...contentFaults,
  ...deepFaults,
  ...errorFormFaults,
  ...errorMemberFaults,
  ...errorRefusalFaults,
  ...headerFaults,
  ...identifierFaults,
  ...listFaults,
  ...numberFaults,
  ...oneOperationFaults,
  ...parameterFaults,
  ...rateLimitLimitFaults,
  ...rateLimitRefusalFaults,
  ...rateLimitRemainingFaults,
  ...rateLimitResetFaults,
  ...rateLimitRetryFaults,
  ...requestPresenceFaults,
  ...requestTypeFaults,
  ...robustnessFaults,
  ...stateEchoFaults,
  ...stateWrittenFaults,
  ...statusFaults,
  ...textFaults,
].map(withNeeds);
