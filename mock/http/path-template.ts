import { escapePattern } from '../../contract/index.ts';
import { decodePercent } from './query.ts';

/** A path template of the document, such as `/pets/{petId}`. */
export interface PathTemplate {
  readonly template: string;
  /** Parameters in the order in which they stand. */
  readonly names: readonly string[];
  /** Number of segments, so that templates of another length need not be tried. */
  readonly segments: number;
  /** Decoded values of the parameters, in their order; undefined where the path does not match. */
  match(path: string): readonly string[] | undefined;
  /** The path with values, percent-encoded, in place of the parameters. */
  render(values: ReadonlyMap<string, string>): string;
}

const parameterPattern = /\{([^{}]*)\}/g;

/** Parses a template. A parameter stands for a part of one segment that is not empty. */
export function parsePathTemplate(template: string, basePath = ''): PathTemplate {
  const names = [...template.matchAll(parameterPattern)].map(([, name = '']) => name);
  const parts = template.split(parameterPattern);
  const pattern = new RegExp(
    `^${(basePath + template).split(parameterPattern).map(partPattern).join('')}$`,
    'u',
  );
  return {
    template,
    names,
    segments: countSegments(basePath + template),
    match: (path) => decodeAll(pattern.exec(path)),
    render: (values) =>
      parts
        .map((part, index) => (isName(index) ? encodeURIComponent(values.get(part) ?? '') : part))
        .join(''),
  };
}

/** Number of slashes. */
export function countSegments(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

/** `split` gives the text between parameters and the name of each in turn. */
function isName(index: number): boolean {
  return index % 2 === 1;
}

function partPattern(part: string, index: number): string {
  return isName(index) ? '([^/]+?)' : escapePattern(part);
}

function decodeAll(found: RegExpExecArray | null): readonly string[] | undefined {
  if (found === null) return undefined;
  const values = found.slice(1).map(decodePercent);
  return values.every((value) => value !== undefined) ? values : undefined;
}
