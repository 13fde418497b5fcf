/** Type and subtype of a `Content-Type`, lower case, no parameters (RFC 9110 section 8.3.1). */
export function essence(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A range such as `*\/*` or `application/*` covers a type (RFC 9110 section 12.5.1). */
export function coversType(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1));
}

/** `Accept` lets this type through: the most specific range decides (RFC 9110 section 12.5.1). */
export function isAcceptable(accept: string | undefined, type: string): boolean {
  return accept === undefined || accept.trim() === '' || qualityOf(accept, type) > 0;
}

/** How much `Accept` likes a type with its parameters, or a range of the document, from 0 to 1. */
export function qualityOf(accept: string, name: string): number {
  const type = essence(name);
  const parameters = parametersOf(name);
  const covering = accept.split(',').filter((range) => {
    const isOther =
      parameters.length > 0 && parametersOf(range).some((one) => !parameters.includes(one));
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
  return type.endsWith('/*') ? 1 : 2 + parametersOf(range).length;
}

/** `type=two` of `application/json; type="two"; q=1`. */
function parametersOf(range: string): readonly string[] {
  return range
    .split(';')
    .slice(1)
    .map((parameter) => parameter.replaceAll(/[\s"]/g, '').toLowerCase())
    .filter((parameter) => parameter !== '' && !parameter.startsWith('q='));
}
