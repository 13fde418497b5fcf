import { type Html, html } from './element.ts';
import { showText } from './visible.ts';

interface CodeProps {
  readonly text: string;
  /** For the name of the copy button: `the curl line`. */
  readonly what: string;
}

/** Text to be typed elsewhere, with a button that copies it. */
export function Code({ text, what }: CodeProps): Html {
  return html`<div class="code">
    <pre><code>${text}</code></pre>
    ${CopyButton({ text, what })}
  </div>`;
}

interface CopyButtonProps {
  /** The text to copy, as it is shown: invisible characters are escaped. */
  readonly text: string;
  /** Description of the text for screen readers: `the curl line`. */
  readonly what: string;
}

/** A button whose text is copied by a script. Without scripts, the style hides it. */
export function CopyButton({ text, what }: CopyButtonProps): Html {
  return html`<button class="copy" type="button" data-copy=${showText(text)} aria-label=${`Copy ${what}`}>Copy</button>`;
}
