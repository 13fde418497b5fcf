import { useCallback, useEffect, useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';

interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

/** A line at the edge of the page: one at a time, for some seconds. */
export function useMessage(): {
  readonly message: Html;
  readonly tell: (text: string, tone?: Message['tone']) => void;
} {
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
