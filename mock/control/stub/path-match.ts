import { decodePercent } from '../../http/query.ts';

/** True for a path as it is sent, percent-encoded. */
export type PathMatch = (path: string) => boolean;

/**
 * Compiles a path in which `{name}` stands for a text within a segment that is not empty. The base
 * path may be left out. Takes time in proportion to the path, whatever the template.
 */
export function compilePath(template: string, basePath: string): PathMatch {
  const hasBase = basePath !== '' && `${template}/`.startsWith(`${basePath}/`);
  const segments = (hasBase ? template : basePath + template).split('/').map(compileSegment);
  return (path) => {
    const sent = path.split('/');
    return sent.length === segments.length && segments.every((fits, at) => fits(sent[at] ?? ''));
  };
}

/** The path of a template without the base path, where it has that. */
export function withoutBase(template: string, basePath: string): string {
  const hasBase = basePath !== '' && template.startsWith(`${basePath}/`);
  return hasBase ? template.slice(basePath.length) : template;
}

function compileSegment(segment: string): PathMatch {
  const [start = '', ...texts] = segment.split(/\{[^{}]*\}/).map(decoded);
  const end = texts.pop();
  if (end === undefined) return (sent) => decoded(sent) === start;
  return (sent) => fits(decoded(sent), { start, texts, end });
}

interface Wildcard {
  readonly start: string;
  readonly texts: readonly string[];
  readonly end: string;
}

/** The first place of each text is as good as any later one. */
function fits(sent: string, { start, texts, end }: Wildcard): boolean {
  if (!sent.startsWith(start) || !sent.endsWith(end)) return false;
  let at = start.length;
  for (const text of texts) {
    const found = sent.indexOf(text, at + 1);
    if (found < 0) return false;
    at = found + text.length;
  }
  return at < sent.length - end.length;
}

function decoded(text: string): string {
  return decodePercent(text) ?? text;
}
