import { useState } from 'preact/hooks';
import { Body } from '../../../view/body.ts';
import { type Html, html } from '../../../view/element.ts';
import { renderRoute } from '../../session/route.ts';
import type { Session } from '../../session/session.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { resolvePointer } from './pointer.ts';

export interface PlaceProps {
  readonly session: Session;
  /** JSON pointer into the document. */
  readonly place: string;
  /** A refusal rests on it; else it describes the operation. */
  readonly isRefusal: boolean;
}

/** The place of the document that a response rests on, with what stands there. */
export function Place({ session, place, isRefusal }: PlaceProps): Html {
  const [isOpen, setIsOpen] = useState(false);
  const { sandbox, mock } = session;
  return html`<details
    class="place"
    onToggle=${({ currentTarget }: Event) => setIsOpen(currentTarget instanceof HTMLDetailsElement && currentTarget.open)}
  >
    <summary>${isRefusal ? 'Rule:' : 'Described at'} <code>${place}</code></summary>
    ${isOpen && html`<${Excerpt} session=${session} place=${place} />`}
    <p>
      <a href=${renderRoute({ section: 'reference', sandbox })}>Reference</a>
      ${' · '}<a href=${mock.links.yaml} target="_blank" rel="noreferrer">openapi.yaml</a>
    </p>
  </details>`;
}

function Excerpt({ session, place }: Pick<PlaceProps, 'session' | 'place'>): Html {
  const { mock, headers } = session;
  const { value, error } = useLoaded(async () => {
    const response = await fetch(new URL(mock.links.json).pathname, { headers });
    const found = resolvePointer(await response.json(), place);
    return found === undefined ? '' : JSON.stringify(found);
  }, [place, mock.instance]);
  if (value === undefined) return html`<p class="error">${error}</p>`;
  return html`<${Body} text=${value} what="what the document says" />`;
}
