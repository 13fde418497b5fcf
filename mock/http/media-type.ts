import { coversType, essence, parametersOf } from '../../contract/openapi/media-type.ts';

/** How much `Accept` likes a type with its parameters, or a range of the document, from 0 to 1. */
export function qualityOf(accept: string, name: string): number {
  const type = essence(name);
  const parameters = withoutQuality(name);
  const covering = accept.split(',').filter((range) => {
    const isOther =
      parameters.length > 0 && withoutQuality(range).some((one) => !parameters.includes(one));
    return !isOther && (coversType(essence(range), type) || coversType(type, essence(range)));
  });
  const [decisive] = covering.toSorted((a, b) => specificity(b) - specificity(a));
  if (decisive === undefined) return 0;
  const quality = Number(/;\s*q\s*=\s*([\d.]+)/i.exec(decisive)?.[1] ?? 1);
  return Number.isNaN(quality) ? 1 : quality;
}

function specificity(range: string): number {
  const type = essence(range);
  if (type === '*/*') return 0;
  return type.endsWith('/*') ? 1 : 2 + withoutQuality(range).length;
}

function withoutQuality(range: string): readonly string[] {
  return parametersOf(range.toLowerCase()).filter((parameter) => !parameter.startsWith('q='));
}
