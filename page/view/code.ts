import { type Html, html } from './element.ts';
import { showText } from './visible.ts';

interface CodeProps {
  readonly text: string;
  /** For the name of the copy button: `the curl line`. */
  readonly what: string;
}

/** A text that is typed somewhere, with a button that copies it. */
export function Code({ text, what }: CodeProps): Html {
  return html`<div class="code">
    <pre><code>${text}</code></pre>
    ${CopyButton({ text, what })}
  </div>`;
}

interface CopyButtonProps {
  /** What is copied, as it is shown: what cannot be seen in it is an escape. */
  readonly text: string;
  /** What it copies, for screen readers: `the curl line`. */
  readonly what: string;
}

/** A button that a script makes copy its text; where no script runs, the style hides it. */
export function CopyButton({ text, what }: CopyButtonProps): Html {
  return html`<button class="copy" type="button" data-copy=${showText(text)} aria-label=${`Copy ${what}`}>Copy</button>`;
}
