import { show, showJson, type VisibleText } from '../../../page/view/visible.ts';
import type { CommandIo } from '../../io/command-io.ts';

/** Prints what happens in a mock: `facts` as a line of JSON with `--log json`, else `text`. */
export type Print = (kind: string, facts: () => object, text: () => VisibleText) => void;

export function createPrint(log: 'text' | 'json', { stdout }: CommandIo): Print {
  return (kind, facts, text) => {
    const at = new Date().toISOString();
    stdout.write(show`${log === 'json' ? showJson({ kind, at, ...facts() }) : text()}\n`);
  };
}
