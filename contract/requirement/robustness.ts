import type { Operation } from '../openapi/operation.ts';
import type { RequirementDraft } from './requirement.ts';

/** Every request is answered, and none brings the service down. */
export function* listRobustnessRequirements({
  id,
  pointer,
}: Operation): Generator<RequirementDraft> {
  yield {
    operation: id,
    subject: { kind: 'robustness', facet: 'answered' },
    sentence: `${id} answers every request.`,
    pointer,
  };
  yield {
    operation: id,
    subject: { kind: 'robustness', facet: 'no-server-error' },
    sentence: `${id} answers no request with a 5xx, those outside the contract included.`,
    pointer,
  };
}
