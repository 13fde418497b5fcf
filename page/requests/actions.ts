import { useState } from 'preact/hooks';
import type { Exchange, ExchangeDetail, StubRule } from '../../mock/control/client.ts';
import { type Html, html } from '../view/element.ts';
import { sendRequest, whyNotSent, renderCurl } from '../service/request.ts';
import { keepNumber } from '../form/exact-json.ts';
import { parseQuery } from '../form/field.ts';
import { brokenOff, describeError } from '../session/describe-error.ts';
import { useSession } from '../session/session.ts';
import { faultKind } from '../sandboxes/fault.ts';
import { RuleForm } from '../sandboxes/rule-panel.ts';
import { stubKind } from '../sandboxes/stub.ts';
import type { Rebuilt } from './rebuild-request.ts';

interface ActionsProps {
  readonly exchange: Exchange;
  readonly rebuilt: Rebuilt;
  /** Undefined until it is loaded. */
  readonly detail: ExchangeDetail | undefined;
}

/** Actions for a request. */
export function Actions({ exchange, rebuilt, detail }: ActionsProps): Html {
  const { sandbox, linkTo } = useSession();
  const [open, setOpen] = useState<'fault' | 'stub'>();
  const [done, setDone] = useState<Html>('');
  const isLost = rebuilt.kind === 'lost';
  const blocked = isLost ? rebuilt.reason : whyNotSent(rebuilt.request);
  const note = blocked ?? (isLost ? undefined : rebuilt.note);
  const send = (): void => {
    if (isLost) return;
    setDone('Sent.');
    sendRequest(rebuilt.request).then(
      ({ status, milliseconds }) =>
        setDone(`Sent again: ${status} in ${Math.round(milliseconds)} ms.`),
      (error: unknown) => setDone(describeError(error, brokenOff)),
    );
  };
  const toggle = (kind: 'fault' | 'stub'): void => {
    setDone('');
    setOpen(open === kind ? undefined : kind);
  };
  const form = (kind: typeof faultKind | typeof stubKind, value: object): Html => html`<${RuleForm}
    key=${kind.noun}
    kind=${kind}
    value=${value}
    onSaved=${() => {
      const link = linkTo('sandboxes', 'faults');
      setOpen(undefined);
      setDone(
        html`The ${kind.noun} is in sandbox ${sandbox}: <a href=${link}>Faults and stubs</a>`,
      );
    }}
    onCancel=${() => setOpen(undefined)}
  />`;
  return html`<div class="buttons">
      <button type="button" class="copy" aria-label="Copy as curl" data-copy=${isLost ? undefined : renderCurl(rebuilt.request)} disabled=${isLost}>Copy as curl</button>
      <button type="button" disabled=${blocked !== undefined} onClick=${send}>Send again</button>
      <button type="button" aria-expanded=${open === 'fault'} onClick=${() => toggle('fault')}>Add a fault</button>
      <button type="button" aria-expanded=${open === 'stub'} disabled=${detail === undefined} onClick=${() => toggle('stub')}>Add a stub</button>
    </div>
    ${note !== undefined && html`<p class="soft">${note}</p>`}
    <p role="status">${done}</p>
    ${open === 'fault' && form(faultKind, faultLike(exchange))}
    ${open === 'stub' && detail !== undefined && form(stubKind, stubLike(detail))}`;
}

/** The initial values of a fault for requests like this one. */
function faultLike({ operation, status }: Exchange): object {
  return {
    ...(operation !== undefined && { operation }),
    status: status >= 400 ? status : 503,
    count: 1,
  };
}

/** The initial values of a stub for requests like this one, with its response. */
function stubLike({ exchange, response }: ExchangeDetail): StubRule {
  const { operation, status, target } = exchange;
  const [path = '', search] = target.split('?');
  const { body = '', bodyLength = 0 } = response;
  const isWhole = body !== '' && new TextEncoder().encode(body).length === bodyLength;
  return {
    request: {
      ...(operation !== undefined && { operation }),
      path,
      ...(search !== undefined && { query: parseQuery(search) }),
    },
    response: { status, ...(isWhole && readBody(body)) },
  };
}

/** JSON if it parses, else text. */
function readBody(text: string): NonNullable<StubRule['response']> {
  try {
    return { body: JSON.parse(text, keepNumber) };
  } catch {
    return { text };
  }
}
