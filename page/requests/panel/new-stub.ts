import { useState } from 'preact/hooks';
import { type Html, html } from '../../../view/element.ts';
import { StubForm } from '../../sandboxes/stub/stub-form.ts';
import { renderRoute } from '../../session/route.ts';
import type { Session } from '../../session/session.ts';
import type { ExchangeDetail } from '../../session/types.ts';

export interface NewStubProps {
  readonly session: Session;
  readonly detail: ExchangeDetail;
}

/** Asks for a stub for requests like this one, in its sandbox, that begins with its response. */
export function NewStub({ session, detail }: NewStubProps): Html {
  const [isAdded, setIsAdded] = useState(false);
  const { exchange, response } = detail;
  const { sandbox, operation = '', status, target } = exchange;
  const [path = '', query = ''] = target.split('?');
  const { body = '', bodyLength = 0 } = response;
  const isWhole = new TextEncoder().encode(body).length === bodyLength;
  return html`<${StubForm}
      session=${{ ...session, sandbox }}
      first=${{ operation, path, query, status: `${status}`, body: isWhole ? body : '' }}
      onAdded=${() => setIsAdded(true)}
    />
    ${isAdded && html`<p>It is added to ${sandbox}. <a href=${renderRoute({ section: 'sandboxes', sandbox })}>See it under Sandboxes</a></p>`}`;
}
