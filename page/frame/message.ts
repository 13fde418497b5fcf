import { useCallback, useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';

interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

/** A line at the edge of the page: one at a time, for some seconds. */
export function useMessage(): { readonly message: Html; readonly tell: Session['tell'] } {
  const [shown, setShown] = useState<Message>();
  const tell = useCallback(
    (text: string, tone: Message['tone'] = 'good') => setShown({ text, tone }),
    [],
  );
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), 6000);
    return () => clearTimeout(timer);
  }, [shown]);
  const message = html`<div role="status" aria-live="polite" class="notice ${shown?.tone ?? ''}">
    ${shown?.text}
  </div>`;
  return { message, tell };
}

/** Makes every copy button of the page copy its text, and says that it did. */
export function useCopyButtons(tell: Session['tell']): void {
  useEffect(() => {
    const copy = ({ target }: MouseEvent): void => {
      const button = target instanceof Element ? target.closest<HTMLElement>('.copy') : null;
      if (button === null) return;
      const what = (button.ariaLabel ?? '').replace(/^Copy /, '');
      copyText(button.dataset['copy'] ?? '', button).then(
        () => tell(`Copied ${what}.`),
        () => tell(`This browser does not let the page copy ${what}.`, 'bad'),
      );
    };
    document.addEventListener('click', copy);
    return () => document.removeEventListener('click', copy);
  }, [tell]);
}

/** Over plain HTTP on an address that is not loopback, a browser offers only the old way. */
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
