import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../../view/element.ts';
import { focusPanel } from '../panel/panel.ts';
import type { Action } from '../panel/use-action.ts';

/** What was done last, and what can be done about it: it is undone, or an item is shown. */
interface Done {
  readonly text: string;
  readonly undo?: () => Promise<unknown>;
  readonly show?: () => Promise<void>;
  /** What was done took the focus away: it goes to the button. */
  readonly takesFocus?: boolean;
}

export interface Undo {
  /** Tells what was done, until something else is or it is undone. */
  readonly offer: (done: Done | undefined) => void;
  readonly line: Html;
}

export function useUndo({ run, isBusy }: Action, onUndone: () => void): Undo {
  const [done, offer] = useState<Done>();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (done?.takesFocus === true) button.current?.focus();
  }, [done]);
  const undo = (): void =>
    void run(async () => await done?.undo?.()).then((isDone) => {
      if (isDone) {
        offer(undefined);
        // The button that was pressed is gone.
        focusPanel('items');
      }
      onUndone();
    });
  const { text, show } = done ?? {};
  const act = show === undefined ? undo : (): void => void run(show);
  const line = html`<p class="undo" role="status">
    ${
      done !== undefined && [
        text,
        ' ',
        html`<button type="button" ref=${button} aria-disabled=${isBusy ? 'true' : undefined} onClick=${act}>${show === undefined ? 'Undo' : 'Show'}</button>`,
      ]
    }
  </p>`;
  return { offer, line };
}
