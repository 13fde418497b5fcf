import { CopyButton } from './copy-button.ts';
import { type Html, html } from './element.ts';

export interface CodeProps {
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
