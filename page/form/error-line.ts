import { html, type Html } from '../view/element.ts';

/** Why something could not be done. Screen readers say it at once. */
export function ErrorLine({ text }: { readonly text: string | undefined }): Html {
  return html`<p class="error error-line" role="alert">${text}</p>`;
}
