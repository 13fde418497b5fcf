import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { focusPanel } from './panel.ts';
import type { Action } from '../session/hooks.ts';

/** What was done last, and how it is undone. */
interface Done {
  readonly text: string;
  readonly undo: () => Promise<unknown>;
  /** What was done took the focus away: it goes to the button. */
  readonly takesFocus?: boolean;
}

export interface Undo {
  /** Says what was done, until something else is or it is undone. */
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
    void run(async () => await done?.undo()).then((isDone) => {
      if (isDone) {
        offer(undefined);
        // The button that was pressed is gone.
        focusPanel('items');
      }
      onUndone();
    });
  const line = html`<p class="undo" role="status">
    ${
      done !== undefined && [
        done.text,
        ' ',
        html`<button type="button" ref=${button} aria-disabled=${isBusy ? 'true' : undefined} onClick=${undo}>Undo</button>`,
      ]
    }
  </p>`;
  return { offer, line };
}
