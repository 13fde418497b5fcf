import { authMutants } from './auth.ts';
import { bodyMemberMutants } from './body/member.ts';
import { bodyShapeMutants } from './body/shape.ts';
import { bodyTextMutants } from './body/text.ts';
import { bodyValueMutants } from './body/value.ts';
import { concurrencyMutants } from './concurrency.ts';
import { contentMutants } from './body/content-type.ts';
import { fuzzMutants } from './fuzz.ts';
import { errorFormMutants } from './error/form.ts';
import { errorMemberMutants } from './error/member.ts';
import { errorRefusalMutants } from './error/refusal.ts';
import { headerMutants } from './header.ts';
import { identifierMutants } from './state/identifier.ts';
import { listMutants } from './state/list.ts';
import { numberMutants } from './body/number.ts';
import { oneOperationMutants } from './one-operation.ts';
import { parameterMutants } from './parameter.ts';
import { rateLimitLimitMutants } from './rate-limit/limit.ts';
import { rateLimitRefusalMutants } from './rate-limit/refusal.ts';
import { rateLimitRemainingMutants } from './rate-limit/remaining.ts';
import { rateLimitResetMutants } from './rate-limit/reset.ts';
import { rateLimitRetryMutants } from './rate-limit/retry.ts';
import { requestPresenceMutants } from './request/presence.ts';
import { requestTypeMutants } from './request/type.ts';
import { robustnessMutants } from './robustness.ts';
import { stateEchoMutants } from './state/echo.ts';
import { stateWrittenMutants } from './state/written.ts';
import { statusMutants } from './status.ts';
import { textMutants } from './body/text-values.ts';
import type { Mutant } from '../subject/mutant.ts';
import { withNeeds } from './needs.ts';

/** Every mutant. */
export const mutants: readonly Mutant[] = [
  ...authMutants,
  ...bodyMemberMutants,
  ...bodyShapeMutants,
  ...bodyTextMutants,
  ...bodyValueMutants,
  ...concurrencyMutants,
  ...contentMutants,
  ...fuzzMutants,
  ...errorFormMutants,
  ...errorMemberMutants,
  ...errorRefusalMutants,
  ...headerMutants,
  ...identifierMutants,
  ...listMutants,
  ...numberMutants,
  ...oneOperationMutants,
  ...parameterMutants,
  ...rateLimitLimitMutants,
  ...rateLimitRefusalMutants,
  ...rateLimitRemainingMutants,
  ...rateLimitResetMutants,
  ...rateLimitRetryMutants,
  ...requestPresenceMutants,
  ...requestTypeMutants,
  ...robustnessMutants,
  ...stateEchoMutants,
  ...stateWrittenMutants,
  ...statusMutants,
  ...textMutants,
].map(withNeeds);
