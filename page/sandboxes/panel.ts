import { html, type Html } from '../view/element.ts';
import { useSession } from '../session/session.ts';
import { ErrorLine } from '../form/error-line.ts';

interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** Shown beside the title. */
  readonly tools?: Html;
  readonly error?: string | undefined;
  readonly children?: Html;
}

export function Panel({ id, title, tools, error, children }: PanelProps): Html {
  const { sandbox } = useSession();
  return html`<section class="part card" id=${`panel-${id}`} aria-label=${title} tabindex="-1">
    <div class="part-head">
      <h2>${title} <small>in sandbox <b>${sandbox}</b></small></h2>
      ${tools}
    </div>
    ${children}
    <${ErrorLine} text=${error} />
  </section>`;
}

/** Moves the focus to a panel, because the focused element may be gone. */
export function focusPanel(id: string): void {
  document.querySelector<HTMLElement>(`#panel-${id}`)?.focus({ preventScroll: true });
}
