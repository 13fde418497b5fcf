import type { Operation } from '../../contract/openapi/operation.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { trimEnd } from '../../contract/http/address.ts';
import { once } from '../memo/once.ts';

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
      collection: lastWord(before),
    };
  });
});

/** A path template without the names of its parameters; `/pets/{}` for OData's `/pets({})`. */
export function blankNames(template: string): string {
  const blank = template.replaceAll(/\{[^{}]*\}/g, '{}').replaceAll('({})', '/{}');
  return blank.endsWith('/') ? `${trimEnd(blank, '/')}/` : blank;
}

/** The last literal segment of a path as a word: `pets` for `/users/{userId}/Pets/`. */
export function lastWord(template: string): string {
  const literal = template.split('/').findLast((part) => part !== '' && !part.includes('{'));
  return plainName(literal ?? '');
}

/** A name in lower case, without the characters that join words. */
export function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** A word and its possible singulars: `pets` and `pet`, `categories` and `category`. */
export function singularsOf(word: string): readonly string[] {
  const endings = [
    ['ies', 'y'],
    ['es', ''],
    ['s', ''],
    ['', ''],
  ] as const;
  return endings.flatMap(([ending, other]) =>
    word.endsWith(ending) && word.length > ending.length
      ? [word.slice(0, word.length - ending.length) + other]
      : [],
  );
}
