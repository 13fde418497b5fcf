import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { useSession } from '../session/session.ts';
import { ErrorLine } from '../form/error-line.ts';

interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** Beside the title. */
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

/** Gives a panel the focus: what had it may be gone. */
export function focusPanel(id: string): void {
  document.querySelector<HTMLElement>(`#panel-${id}`)?.focus({ preventScroll: true });
}

interface AskButtonProps {
  /** What it does, in short: `Delete`. */
  readonly label: string;
  /** What is asked before it is done. */
  readonly question: string;
  readonly onYes: () => void;
  /** Its name, where the label alone is not one. */
  readonly name?: string;
}

/** A button that asks before it does what cannot be undone. */
export function AskButton({ label, question, onYes, name }: AskButtonProps): Html {
  const [isAsking, setIsAsking] = useState(false);
  const focused = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking || wasAsking.current) focused.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking)
    return html`<button key="ask" type="button" class="danger" ref=${focused} aria-label=${name} onClick=${() => setIsAsking(true)}>${label}</button>`;
  const accept = (): void => {
    setIsAsking(false);
    onYes();
  };
  return html`<span class="ask" role="group" aria-label=${question} onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && setIsAsking(false)}>
    <span>${question}</span>
    <button type="button" class="danger" onClick=${accept}>${label.split(' ')[0]}</button>
    <button type="button" ref=${focused} onClick=${() => setIsAsking(false)}>Cancel</button>
  </span>`;
}
