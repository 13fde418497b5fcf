/** A path template with values in the place of its parameters. */
export function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replaceAll(/\{[^{}]*\}/g, () => {
    index += 1;
    return encodeURIComponent(values[index - 1] ?? '');
  });
}

/** True for the path of a collection below an item path, whatever the parameters are called. */
export function isWithin(path: string, itemPath: string): boolean {
  return unnamed(path).startsWith(`${unnamed(itemPath)}/`);
}

function unnamed(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}
