import { html, type Html } from '../view/element.ts';

/** An error message, announced by screen readers at once. */
export function ErrorLine({ text }: { readonly text: string | undefined }): Html {
  return html`<p class="error error-line" role="alert">${text}</p>`;
}
