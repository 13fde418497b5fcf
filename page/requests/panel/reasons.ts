import { type Html, html, renderProse } from '../../../view/element.ts';
import { renderRoute } from '../../session/route.ts';
import type { Session } from '../../session/session.ts';
import type { Exchange } from '../../session/types.ts';
import { Place } from './place.ts';

export interface ReasonsProps {
  readonly session: Session;
  readonly exchange: Exchange;
  /** JSON pointer into the document; undefined while it is not known. */
  readonly place: string | undefined;
}

/** Why the response is as it is: the refusal with its place in the document, a fault, a stub, hints. */
export function Reasons({ session, exchange, place }: ReasonsProps): Html {
  const { refusal, fault, stub, hints = [], sandbox } = exchange;
  return html`
    ${
      refusal !== undefined &&
      refusal.check !== 'fault' &&
      refusal.check !== 'stub' &&
      html`<div class="reason">
        <p><b>Refused</b> by the check of ${checkNames[refusal.check]}: ${refusal.message} <code>${refusal.reason}</code></p>
      </div>`
    }
    ${
      fault !== undefined &&
      html`<div class="reason doubt">
        <p>
          <b>Your fault</b> <code>${fault.id}</code> ${refusal?.check === 'fault' ? `answered ${exchange.status}` : `was applied: ${fault.effect}`}. ${fault.breaks}
          ${' '}<a href=${renderRoute({ section: 'sandboxes', sandbox })}>Faults of ${sandbox}</a>
        </p>
      </div>`
    }
    ${
      stub !== undefined &&
      html`<div class="reason doubt">
        <p>
          <b>Your stub</b> ${stub.name === undefined ? html`<code>${stub.id}</code>` : stub.name} answered ${exchange.status}.
          ${' '}<a href=${renderRoute({ section: 'sandboxes', sandbox })}>Stubs of ${sandbox}</a>
        </p>
      </div>`
    }
    ${hints.map(({ message }) => html`<div class="reason hint"><p><b>Hint</b> ${renderProse(message)}</p></div>`)}
    ${place !== undefined && html`<${Place} session=${session} place=${place} isRefusal=${refusal !== undefined} />`}
  `;
}

const checkNames: Readonly<Record<NonNullable<Exchange['refusal']>['check'], string>> = {
  http: 'HTTP',
  route: 'path and method',
  'rate-limit': 'the rate limit',
  credential: 'the key',
  accept: 'Accept',
  parameters: 'parameters',
  content: 'the body',
  state: 'what is stored',
  fault: 'faults',
  preference: 'preferences',
  stub: 'stubs',
};
