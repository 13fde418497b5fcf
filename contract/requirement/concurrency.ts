import type { Resource } from '../resource/resource.ts';
import { type Drafts, draftsOf } from './requirement.ts';

/** What holds for additions at the same time. */
export function* listConcurrencyRequirements({ create, idProperty }: Resource): Drafts {
  if (!create) return;
  const draft = draftsOf(create);
  const items = 'Items added at the same time';
  yield draft(
    { kind: 'concurrency', facet: 'unique' },
    `${items} get different \`${idProperty}\`s.`,
  );
  yield draft({ kind: 'concurrency', facet: 'stored' }, `${items} are all stored.`);
}
