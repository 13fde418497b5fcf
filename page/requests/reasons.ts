import { useState } from 'preact/hooks';
import { Body } from '../view/body.ts';
import { type Html, html, renderProse } from '../view/element.ts';
import { resolve } from '../form/draft.ts';
import { fetchText } from '../session/fetch-text.ts';
import { useLoaded } from '../session/hooks.ts';
import { renderRoute } from '../session/route.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../session/types.ts';

export interface ReasonsProps {
  readonly session: Session;
  readonly exchange: Exchange;
  /** JSON pointer into the document; undefined while it is not known. */
  readonly place: string | undefined;
}

/** Why the response is as it is: the refusal with its place in the document, a fault, a stub, hints. */
export function Reasons({ session, exchange, place }: ReasonsProps): Html {
  const { refusal, fault, stub, hints = [], sandbox } = exchange;
  const isRefusal = refusal !== undefined && refusal.check !== 'fault' && refusal.check !== 'stub';
  return html`
    ${
      refusal !== undefined &&
      refusal.check !== 'fault' &&
      refusal.check !== 'stub' &&
      html`<div class="reason">
        <p><b>Refused</b> (${checkNames[refusal.check]}): ${refusal.message} <code>${refusal.reason}</code></p>
      </div>`
    }
    ${
      fault !== undefined &&
      html`<div class="reason doubt">
        <p>
          <b>Injected fault</b> <code>${fault.id}</code> ${refusal?.check === 'fault' ? `responded with ${exchange.status}` : `was applied: ${fault.effect}`}. ${fault.breaks}
          ${' '}<a href=${renderRoute({ section: 'sandboxes', part: 'faults', sandbox })}>Faults of ${sandbox}</a>
        </p>
      </div>`
    }
    ${
      stub !== undefined &&
      html`<div class="reason doubt">
        <p>
          <b>Stub</b> ${stub.name === undefined ? html`<code>${stub.id}</code>` : stub.name} responded with ${exchange.status}.
          ${' '}<a href=${renderRoute({ section: 'sandboxes', part: 'faults', sandbox })}>Stubs of ${sandbox}</a>
        </p>
      </div>`
    }
    ${hints.map(({ message }) => html`<div class="reason hint"><p><b>Hint</b> ${renderProse(message)}</p></div>`)}
    ${place !== undefined && html`<${Place} session=${session} place=${place} isRefusal=${isRefusal} />`}
  `;
}

const checkNames: Readonly<Record<NonNullable<Exchange['refusal']>['check'], string>> = {
  http: 'HTTP',
  route: 'path and method',
  'rate-limit': 'rate limit',
  credential: 'key',
  accept: 'Accept',
  parameters: 'parameters',
  content: 'body',
  state: 'stored items',
  fault: 'fault',
  preference: 'preference',
  stub: 'stub',
};

interface PlaceProps {
  readonly session: Session;
  /** JSON pointer into the document. */
  readonly place: string;
  /** A refusal rests on it; else it describes the operation. */
  readonly isRefusal: boolean;
}

/** The place in the document that a response rests on, with what is there. */
function Place({ session, place, isRefusal }: PlaceProps): Html {
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

function Excerpt({ session, place }: Omit<PlaceProps, 'isRefusal'>): Html {
  const { mock } = session;
  const { value, error } = useLoaded(async () => {
    const text = await fetchText(session, new URL(mock.links.json).pathname);
    const found = resolve(JSON.parse(text), place);
    return found === undefined ? '' : JSON.stringify(found);
  }, [place, mock.instance]);
  if (value === undefined) return html`<p class="error">${error}</p>`;
  return html`<${Body} text=${value} what="what the document says" />`;
}
