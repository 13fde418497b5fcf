import type { Contract } from '../../contract/contract.ts';
import { plainName, singularNames, wordOfId } from '../../contract/resource/names.ts';
import type { Resource } from '../../contract/resource/resource.ts';
import { once } from '../../contract/memo/once.ts';

/** The resource that a member of another one refers to: `/authors` for `author` and `authorId`. */
export function referredResource(
  contract: Contract,
  member: string,
  own: Resource | undefined,
): Resource | undefined {
  const word = wordOfId(member) ?? plainName(member);
  return resourcesByName(contract)
    .get(word)
    ?.find((each) => each !== own);
}

/** Resources by the names of one of their items. */
const resourcesByName = once(
  ({ resources }: Contract): ReadonlyMap<string, readonly Resource[]> => {
    const found = new Map<string, Resource[]>();
    for (const resource of resources)
      for (const name of new Set(singularNames(resource.collectionPath))) {
        const alike = found.get(name) ?? [];
        found.set(name, alike);
        alike.push(resource);
      }
    return found;
  },
);
