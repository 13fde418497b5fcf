import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { trimEnd } from '../../contract/http/address.ts';
import { lastWord, plainName } from '../../contract/resource/names.ts';
import { once } from '../../contract/memo/once.ts';

/** A path up to one of its parameters: `/users/{userId}/pets/{petId}`. */
export interface PathPrefix {
  /** The prefix without names: `/users/{}/pets/{}`. The same key means the same items. */
  readonly key: string;
  /** Its last parameter. */
  readonly name: string;
  readonly parameter: Parameter | undefined;
  /** The last segment before that parameter, as a word: `pets`; empty for none. */
  readonly collection: string;
}

/** The prefixes of an operation's path, one for each parameter, in order. */
export const pathPrefixes = once((operation: Operation): readonly PathPrefix[] => {
  const { path, parameters } = operation;
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(({ 0: whole, 1: name = '', index }) => {
    const before = path.slice(0, index);
    return {
      key: blankNames(before.replace(/\($/, '/')) + whole.replace(/\{[^{}]*\}/, '{}'),
      name,
      parameter: parameters.find((each) => each.in === 'path' && each.name === name),
      collection: plainName(lastWord(before)),
    };
  });
});

/** A path template without the names of its parameters; `/pets/{}` for OData's `/pets({})`. */
export function blankNames(template: string): string {
  const blank = template.replaceAll(/\{[^{}]*\}/g, '{}').replaceAll('({})', '/{}');
  return blank.endsWith('/') ? `${trimEnd(blank, '/')}/` : blank;
}
