import type { InferredResource } from '../../contract/resource/resource.ts';
import { compilePathMatch } from '../../contract/openapi/path-pattern.ts';
import { decodePercent } from '../../contract/source/percent.ts';

/** Fills values in the place of the parameters of a path template. */
export function compilePath(template: string): (values: readonly string[]) => string {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/);
  return (values) =>
    rest.reduce((path, part, at) => path + encodeURIComponent(values[at] ?? '') + part, first);
}

/** A path template with values in the place of its parameters. */
export function fillPath(template: string, values: readonly string[]): string {
  return compilePath(template)(values);
}

/** Finds the resources within whose items a path is, whatever the parameters are called. */
export function indexAncestors(
  resources: readonly InferredResource[],
): (path: string) => readonly InferredResource[] {
  const items = Map.groupBy(
    resources,
    ({ itemPath }) => itemPath && unnamed(itemPath).replace(/\/$/, ''),
  );
  const lengths = new Set([...items.keys()].map((template) => template?.length));
  return (path) => {
    const template = unnamed(path);
    return [...template.matchAll(/\//g)].flatMap(({ index }) =>
      lengths.has(index) ? (items.get(template.slice(0, index)) ?? []) : [],
    );
  };
}

function unnamed(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** Reads the decoded values of a template's parameters; undefined for a path of another. */
export function compileValues(template: string): (path: string) => readonly string[] | undefined {
  const match = compilePathMatch(template);
  return (path) => match(path)?.map((value) => decodePercent(value) ?? value);
}
