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
  const { refusal, fault, stub, hints = [], sandbox, status } = exchange;
  const [isOpen, setIsOpen] = useState(false);
  const isRefusal = refusal !== undefined && refusal.check !== 'fault' && refusal.check !== 'stub';
  const link = (what: string): Html =>
    html`${' '}<a href=${renderRoute({ section: 'sandboxes', part: 'faults', sandbox })}>${what} of ${sandbox}</a>`;
  return html`
    ${isRefusal && html`<p class="reason"><b>Refused</b> (${checkNames[refusal.check] ?? refusal.check}): ${refusal.message} <code>${refusal.reason}</code></p>`}
    ${
      fault !== undefined &&
      html`<p class="reason doubt">
        <b>Injected fault</b> <code>${fault.id}</code> ${refusal?.check === 'fault' ? `responded with ${status}` : `was applied: ${fault.effect}`}. ${fault.breaks}${link('Faults')}
      </p>`
    }
    ${stub !== undefined && html`<p class="reason doubt"><b>Stub</b> ${stub.name ?? html`<code>${stub.id}</code>`} responded with ${status}.${link('Stubs')}</p>`}
    ${hints.map(({ message }) => html`<p class="reason hint"><b>Hint</b> ${renderProse(message)}</p>`)}
    ${
      place !== undefined &&
      html`<details class="place" onToggle=${() => setIsOpen(true)}>
        <summary>${isRefusal ? 'Rule:' : 'Described at'} <code>${place}</code></summary>
        ${isOpen && html`<${Excerpt} session=${session} place=${place} />`}
        <p>
          <a href=${renderRoute({ section: 'reference', sandbox })}>Reference</a>
          ${' · '}<a href=${session.mock.links.yaml} target="_blank" rel="noreferrer">openapi.yaml</a>
        </p>
      </details>`
    }
  `;
}

/** What refused a request, where its own name does not say it. */
const checkNames: Readonly<Partial<Record<NonNullable<Exchange['refusal']>['check'], string>>> = {
  http: 'HTTP',
  route: 'path and method',
  'rate-limit': 'rate limit',
  credential: 'key',
  accept: 'Accept',
  content: 'body',
  state: 'stored items',
};

/** What the document says at a place. */
function Excerpt({ session, place }: { readonly session: Session; readonly place: string }): Html {
  const { mock } = session;
  const { value, error } = useLoaded(async () => {
    const text = await fetchText(session, new URL(mock.links.json).pathname);
    const found = resolve(JSON.parse(text), place);
    return found === undefined ? '' : JSON.stringify(found);
  }, [place, mock.instance]);
  if (value === undefined) return html`<p class="error">${error}</p>`;
  return html`<${Body} text=${value} what="what the document says" />`;
}
