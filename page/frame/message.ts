import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { describeError } from '../session/describe-error.ts';
import type { Session } from '../session/session.ts';

interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/**
 * A message line at the bottom of the page, which covers nothing. Shows one message at a time, and
 * hides it after some seconds or with its section. An error stays until it is closed. A message
 * with Undo stays until the part of the page changes, and focuses Undo, because the focused element
 * may be gone.
 *
 * @param place id of the section, a slash, and id of its part
 * @param isLost whether the mock does not respond, which is also shown
 */
export function useMessage(
  place: string,
  isLost: boolean,
): Pick<Session, 'notify' | 'act'> & { readonly message: Html } {
  const [shown, setShown] = useState<Message>();
  const button = useRef<HTMLButtonElement>(null);
  const footer = useRef<HTMLElement>(null);
  const notify = useCallback<Session['notify']>(
    (text, tone = 'good', undo) => setShown({ text, tone, undo }),
    [],
  );
  const act = useCallback<Session['act']>(async (task, done, undo) => {
    try {
      await task();
    } catch (error) {
      setShown({ text: describeError(error), tone: 'bad' });
      return false;
    }
    if (done !== undefined) setShown({ text: done, tone: 'good', undo });
    return true;
  }, []);
  useEffect(() => {
    button.current?.focus();
    if (shown?.tone !== 'good' || shown.undo !== undefined) return undefined;
    const timer = setTimeout(() => setShown(undefined), 6000);
    return () => clearTimeout(timer);
  }, [shown]);
  const [section] = place.split('/');
  useEffect(() => setShown(undefined), [section]);
  useEffect(() => setShown((one) => (one?.undo === undefined ? one : undefined)), [place]);
  const close = (): void => {
    setShown(undefined);
    // The focused button goes; a field in which somebody types meanwhile keeps the focus.
    if (footer.current?.contains(document.activeElement) === true)
      document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
  };
  const undo = (): void =>
    void act(async () => await shown?.undo?.()).then((isDone) => isDone && close());
  const lost = isLost && 'The mock does not respond. This page continues as soon as it is back.';
  const message = html`<footer ref=${footer} class=${`notice ${shown?.tone ?? (isLost ? 'bad' : '')}`}>
    <p role="status" aria-live="polite">${shown?.text ?? lost}</p>
    ${shown === undefined && !isLost && html`<span class="soft">Connected to ${location.host}</span>`}
    ${shown?.undo !== undefined && html`<button type="button" ref=${button} onClick=${undo}>Undo</button>`}
    ${shown !== undefined && html`<button type="button" class="quiet" aria-label="Close the message" onClick=${close}>✕</button>`}
  </footer>`;
  return { message, notify, act };
}

/** Makes all copy buttons of the page copy their texts, and shows a message. */
export function useCopyButtons(notify: Session['notify']): void {
  useEffect(() => {
    const copy = ({ target }: MouseEvent): void => {
      const button = target instanceof Element ? target.closest<HTMLElement>('.copy') : null;
      if (button === null) return;
      const what = (button.ariaLabel ?? '').replace(/^Copy /, '');
      copyText(button.dataset['copy'] ?? '', button).then(
        () => notify(`Copied ${what}.`),
        () => notify(`This browser does not let the page copy ${what}.`, 'bad'),
      );
    };
    document.addEventListener('click', copy);
    return () => document.removeEventListener('click', copy);
  }, [notify]);
}

/** Over plain HTTP from another machine, browsers only support `execCommand`. */
async function copyText(text: string, button: HTMLElement): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  button.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button.focus();
  if (!isCopied) throw new Error('copying was refused');
}
