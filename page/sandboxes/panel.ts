import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { ErrorLine } from '../form/error-line.ts';

export interface PanelProps {
  readonly id: string;
  readonly title: string;
  /** The sandbox that it changes. */
  readonly sandbox: string;
  /** Stands beside the title. */
  readonly tools?: Html;
  readonly error?: string | undefined;
  readonly children?: Html;
}

/** A part of a sandbox, with what went wrong with it. */
export function Panel({ id, title, sandbox, tools, error, children }: PanelProps): Html {
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

export interface AskButtonProps {
  readonly label: string;
  /** What is asked before it is done. */
  readonly question: string;
  readonly yes: string;
  readonly onYes: () => void;
  /** Its name, where the label alone is not one. */
  readonly name?: string;
}

/** A button that asks before it does what cannot be undone. */
export function AskButton({ label, question, yes, onYes, name }: AskButtonProps): Html {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) no.current?.focus();
    else if (wasAsking.current) button.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking)
    return html`<button type="button" class="danger" ref=${button} aria-label=${name} onClick=${() => setIsAsking(true)}>${label}</button>`;
  const close = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setIsAsking(false);
  };
  const accept = (): void => {
    setIsAsking(false);
    onYes();
  };
  return html`<span class="ask" role="group" aria-label=${question} onKeyDown=${close}>
    <span>${question}</span>
    <button type="button" class="danger" onClick=${accept}>${yes}</button>
    <button type="button" ref=${no} onClick=${() => setIsAsking(false)}>Cancel</button>
  </span>`;
}
