import { html, type Html } from '../../view/element.ts';
import type { SectionProps } from '../session/session.ts';

export function Start({ session }: SectionProps): Html {
  return html`<h1>Start</h1>
    <p>${session.mock.document.title}</p>`;
}
