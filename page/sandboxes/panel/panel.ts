import { html, type Html } from '../../../view/element.ts';
import { bringToTop } from '../../session/bring-to-top.ts';

export interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** Stands beside the title. */
  readonly note?: Html;
  readonly error?: string | undefined;
  readonly children?: Html;
}

/** A part of a sandbox, with what went wrong with it. */
export function Panel({ id, title, note, error, children }: PanelProps): Html {
  return html`<section class="part card" id=${`panel-${id}`} aria-labelledby=${`title-${id}`} tabindex="-1">
    <div class="part-head"><h2 id=${`title-${id}`}>${title}</h2>${note}</div>
    ${children}
    <${ErrorLine} text=${error} />
  </section>`;
}

/** Shows a panel, and gives it the focus: what had it may be gone. */
export function focusPanel(id: string, options: { readonly scrolls?: boolean } = {}): void {
  const panel = document.querySelector<HTMLElement>(`#panel-${id}`);
  if (panel === null) return;
  if (options.scrolls === true) bringToTop(panel);
  panel.focus({ preventScroll: true });
}

/** Why something could not be done; a screen reader says it at once. */
export function ErrorLine({ text, id }: { text: string | undefined; id?: string }): Html {
  return html`<p class="error error-line" role="alert" id=${id}>${text}</p>`;
}
