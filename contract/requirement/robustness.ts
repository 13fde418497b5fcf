import type { Operation } from '../openapi/operation.ts';
import { type Drafts, draftsOf } from './requirement.ts';

/** Every request is answered, and none brings the service down. */
export function* listRobustnessRequirements(operation: Operation): Drafts {
  const draft = draftsOf(operation);
  yield draft(
    { kind: 'robustness', facet: 'answered' },
    `${operation.id} responds to every request.`,
  );
  yield draft(
    { kind: 'robustness', facet: 'no-server-error' },
    `${operation.id} never returns a 5xx, not even for an invalid request.`,
  );
}
