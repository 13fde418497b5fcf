import { useEffect } from 'preact/hooks';
import type { Session } from '../session/session.ts';

/** Makes every copy button of the page copy its text, and tells that it did. */
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

/** Over plain HTTP on another address than loopback, a browser offers only the old way. */
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
