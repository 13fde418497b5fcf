import type { Resource } from '../resource/resource.ts';
import type { RequirementDraft } from './requirement.ts';

/** What holds for additions at the same time. */
export function* listConcurrencyRequirements({
  create,
  idProperty,
}: Resource): Generator<RequirementDraft> {
  if (!create) return;
  const of = { operation: create.id, pointer: create.pointer };
  yield {
    ...of,
    subject: { kind: 'concurrency', facet: 'unique' },
    sentence: `Items added at the same time get different \`${idProperty}\`s.`,
  };
  yield {
    ...of,
    subject: { kind: 'concurrency', facet: 'stored' },
    sentence: 'Items added at the same time are all stored.',
  };
}
