import type { Resource } from '../resource/resource.ts';
import { type Drafts, draftsOf } from './requirement.ts';

/** What holds for additions and changes at the same time. */
export function* listConcurrencyRequirements(resource: Resource): Drafts {
  const { create, replace, update, idProperty } = resource;
  for (const change of [replace, update]) {
    const sentence = 'Items changed at the same time are all stored as sent.';
    if (change) yield draftsOf(change)({ kind: 'concurrency', facet: 'stored' }, sentence);
  }
  if (!create) return;
  const draft = draftsOf(create);
  const items = 'Items added at the same time';
  yield draft(
    { kind: 'concurrency', facet: 'unique' },
    `${items} get different \`${idProperty}\`s.`,
  );
  yield draft({ kind: 'concurrency', facet: 'stored' }, `${items} are all stored.`);
}
