import { type MatchPath, compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import { decodePercent } from '../../contract/source/percent.ts';
import { splitTarget } from './message.ts';
import { queryPairs, queryValues } from './parameter-text.ts';

/** A path template of the document, such as `/pets/{petId}`. */
export interface PathTemplate {
  readonly template: string;
  /** Names of the parameters, in the order of the path. */
  readonly names: readonly string[];
  /** Number of segments, so that other lengths need not be tried. */
  readonly segments: number;
  /** Query parameters in the template: one for `/a?x=1`. */
  readonly pairs: number;
  /**
   * Values of the parameters as in the path, percent-encoded, in order; undefined if the path does
   * not match.
   */
  match(path: string, query?: string): readonly string[] | undefined;
}

const parameterPattern = /\{([^{}]*)\}/g;

/**
 * Parses a template. A parameter matches a non-empty part of one segment. If a template has a
 * query, the request must have it too; a fragment is never sent (RFC 9110 section 7.1).
 */
export function parsePathTemplate(whole: string, basePath = ''): PathTemplate {
  const { path: template, query } = splitTarget(withoutFragment(whole));
  const names = [...template.matchAll(parameterPattern)].map(([, name = '']) => name);
  const wanted = queryPairs(query);
  const inQuery = wanted.flatMap(({ name, raw }) => {
    const parameter = /^\{([^{}]*)\}$/.exec(raw)?.[1];
    return parameter === undefined ? [] : [{ parameter, name }];
  });
  let matchPath: MatchPath | undefined;
  const find = (path: string): readonly string[] | undefined => {
    matchPath ??= compilePathMatch(basePath + template);
    return decodable(matchPath(path));
  };
  return {
    template: whole,
    names: [...names, ...inQuery.map(({ parameter }) => parameter)],
    segments: countSegments(basePath + template),
    pairs: wanted.length,
    match(path, sent = '') {
      const values = find(path);
      if (values === undefined || wanted.length === 0) return values;
      const isThere = wanted.every(({ name, raw }) => {
        const found = queryValues(sent, name);
        return raw.startsWith('{') ? found.length > 0 : found.includes(raw);
      });
      const further = inQuery.map(({ name }) =>
        encodeURIComponent(queryValues(sent, name)[0] ?? ''),
      );
      return isThere ? [...values, ...further] : undefined;
    },
  };
}

/** A fragment of a path is never sent (RFC 9110 section 7.1). */
export function withoutFragment(path: string): string {
  return path.split('#', 1)[0] ?? '';
}

/**
 * Compares templates: by number of segments, then segment by segment, text before text with
 * parameters before a parameter alone. More query parameters come first.
 */
export function compareTemplates(one: PathTemplate, other: PathTemplate): number {
  if (one.segments !== other.segments) return one.segments - other.segments;
  const [left, right] = [one, other].map(({ template }) => segmentRanks(template));
  for (const [index, rank] of (left ?? []).entries()) {
    const difference = rank - (right?.[index] ?? rank);
    if (difference !== 0) return difference;
  }
  return other.pairs - one.pairs;
}

/** 0 for text, between 1 and 2 for text with parameters, 2 for a parameter. */
function segmentRanks(template: string): readonly number[] {
  return splitTarget(withoutFragment(template))
    .path.split('/')
    .map((segment) => {
      if (!segment.includes('{')) return 0;
      return 1 + 1 / (1 + segment.replaceAll(parameterPattern, '').length);
    });
}

/** Number of slashes. */
export function countSegments(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

function decodable(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.every((value) => decodePercent(value) !== undefined) ? values : undefined;
}
