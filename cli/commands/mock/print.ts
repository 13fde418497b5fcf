import { show, showJson, type VisibleText } from '../../../page/view/visible.ts';
import type { CommandIo } from '../../io/command-io.ts';

/** Prints what happens in a mock: with `--log json` the facts as a line of JSON, else the text, if any. */
export type Print = (kind: string, facts: () => object, text?: () => VisibleText) => void;

export function createPrint(log: 'text' | 'json', { stdout }: CommandIo): Print {
  return (kind, facts, text) => {
    const at = new Date().toISOString();
    const shown = log === 'json' ? showJson({ kind, at, ...facts() }) : text?.();
    if (shown !== undefined) stdout.write(show`${shown}\n`);
  };
}
