import { type VisibleText, reshape, showJson } from '../visible.ts';

/** A JavaScript string in single quotes; invisible characters are escaped. */
export function quoteScript(text: string): VisibleText {
  return reshape(showJson(text), (json) => {
    const inner = json.slice(1, -1).replaceAll(String.raw`\"`, '"');
    return `'${inner.replaceAll("'", String.raw`\'`)}'`;
  });
}
