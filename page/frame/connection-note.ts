import { html, type Html } from '../../view/element.ts';

/** Says that the mock is away. The page goes on by itself once it is back. */
export function ConnectionNote({ isLost }: { isLost: boolean }): Html {
  return html`<p role="status" class=${isLost ? 'lost' : 'hidden'}>
    ${isLost ? 'The mock does not respond. This page goes on as soon as it is back.' : ''}
  </p>`;
}
