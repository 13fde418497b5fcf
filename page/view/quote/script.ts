import { type VisibleText, reshape, showJson } from '../visible.ts';

/** A string of JavaScript, with single quotes around it; what cannot be seen is escaped. */
export function quoteScript(text: string): VisibleText {
  return reshape(showJson(text), (json) => {
    const inner = json.slice(1, -1).replaceAll(String.raw`\"`, '"');
    return `'${inner.replaceAll("'", String.raw`\'`)}'`;
  });
}
