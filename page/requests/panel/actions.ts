import { useState } from 'preact/hooks';
import { type Html, html } from '../../../view/element.ts';
import { renderCurl } from '../../service/curl.ts';
import { describeNoResponse, sendRequest, whyNotSent } from '../../service/send.ts';
import type { Session } from '../../session/session.ts';
import type { Exchange, ExchangeDetail } from '../../session/types.ts';
import { renderRoute } from '../../session/route.ts';
import { FaultForm } from '../../sandboxes/fault/fault-form.ts';
import { NewStub } from './new-stub.ts';
import type { Rebuilt } from './rebuild-request.ts';

export interface ActionsProps {
  readonly session: Session;
  readonly exchange: Exchange;
  readonly rebuilt: Rebuilt;
  /** Undefined while it is not known. */
  readonly detail: ExchangeDetail | undefined;
}

/** What can be done with a request. */
export function Actions({ session, exchange, rebuilt, detail }: ActionsProps): Html {
  const [isFault, setIsFault] = useState(false);
  const [isStub, setIsStub] = useState(false);
  const [answer, setAnswer] = useState('');
  const lost = rebuilt.kind === 'lost' ? rebuilt.reason : undefined;
  const blocked = rebuilt.kind === 'lost' ? rebuilt.reason : whyNotSent(rebuilt.request);
  const send = (): void => {
    if (rebuilt.kind === 'lost') return;
    setAnswer('Sent.');
    sendRequest(rebuilt.request).then(
      ({ status, milliseconds }) =>
        setAnswer(`Sent again: ${status} in ${Math.round(milliseconds)} ms.`),
      (error: unknown) => setAnswer(describeNoResponse(error)),
    );
  };
  return html`<div class="buttons">
      <button
        type="button"
        class="copy"
        aria-label="Copy as curl"
        data-copy=${rebuilt.kind === 'request' ? renderCurl(rebuilt.request) : undefined}
        disabled=${lost !== undefined}
      >Copy as curl</button>
      <button type="button" disabled=${blocked !== undefined} onClick=${send}>Send again</button>
      <button type="button" aria-expanded=${isFault} onClick=${() => setIsFault(!isFault)}>Make this a fault</button>
      <button type="button" aria-expanded=${isStub} disabled=${detail === undefined} onClick=${() => setIsStub(!isStub)}>Make this a stub</button>
    </div>
    ${(blocked ?? (rebuilt.kind === 'request' && rebuilt.note)) && html`<p class="soft">${lost === undefined && blocked !== undefined ? 'It cannot be sent from here. ' : ''}${blocked ?? (rebuilt.kind === 'request' && rebuilt.note)}</p>`}
    <p role="status">${answer}</p>
    ${isFault && html`<${NewFault} session=${session} exchange=${exchange} />`}
    ${isStub && detail !== undefined && html`<${NewStub} session=${session} detail=${detail} />`}`;
}

/** Asks for a fault for requests like this one, in its sandbox. */
function NewFault({ session, exchange }: Pick<ActionsProps, 'session' | 'exchange'>): Html {
  const [isAdded, setIsAdded] = useState(false);
  const { sandbox, operation = '', status } = exchange;
  return html`<${FaultForm}
      session=${{ ...session, sandbox }}
      first=${{ operation, status: `${status >= 400 ? status : 503}`, count: '1' }}
      onAdded=${() => setIsAdded(true)}
    />
    ${isAdded && html`<p>It is added to ${sandbox}. <a href=${renderRoute({ section: 'sandboxes', sandbox })}>See it under Sandboxes</a></p>`}`;
}
