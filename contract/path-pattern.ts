/** A text as a regular expression that matches it alone; `RegExp.escape` needs Node 24. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A path template as a regular expression, with `parameter` in the place of each parameter. */
export function pathPattern(template: string, parameter: string): string {
  return template
    .split(/\{[^}]+\}/)
    .map(escapePattern)
    .join(parameter);
}
