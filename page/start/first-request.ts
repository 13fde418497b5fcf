import { useState } from 'preact/hooks';
import { Body } from '../../view/body.ts';
import { Code } from '../../view/code.ts';
import { type Html, html } from '../../view/element.ts';
import { renderCurl } from '../service/curl.ts';
import { renderFetch } from '../service/fetch-snippet.ts';
import { addKey } from '../service/outgoing-request.ts';
import {
  type ReceivedResponse,
  describeNoResponse,
  sendRequest,
  whyNotSent,
} from '../service/send.ts';
import { nameOf } from '../session/request-log.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps, Session } from '../session/session.ts';
import { useLoaded } from '../session/use-loaded.ts';
import { type SentRequest, useLogged } from './use-logged.ts';
import { loadSampleRequest } from './sample-request.ts';

/** A request to try at once: chosen, shown as curl and as `fetch`, and sent from the page. */
export function FirstRequest({ session }: SectionProps): Html {
  const { mock, sandbox } = session;
  const [operationId, setOperation] = useState(mock.operations[0]?.id);
  const [chosenKey, setKey] = useState<string>();
  const [answer, setAnswer] = useState<ReceivedResponse | string>();
  const [sent, setSent] = useState<SentRequest>();
  const logged = useLogged(session, sent);
  const operation = mock.operations.find(({ id }) => id === operationId) ?? mock.operations[0];
  const { value: loaded, error } = useLoaded(
    async () => operation && { operation, sample: await loadSampleRequest(session, operation) },
    [operation?.id, sandbox, mock.instance],
  );
  const { value: keys } = useLoaded(() => loadKeys(session), [sandbox, mock.instance]);
  if (operation === undefined) return html`<p>The document has no operation.</p>`;
  if (loaded === undefined || keys === undefined) return html`<p class="error">${error}</p>`;
  const key = chosenKey !== undefined && keys.includes(chosenKey) ? chosenKey : keys[0];
  const { sample } = loaded;
  const request = key === undefined ? sample : addKey(sample, operation.credentials, key);
  const blocked =
    loaded.operation.id === operation.id ? whyNotSent(request) : 'Its sample is being loaded.';
  const send = (): void => {
    setSent({ method: request.method, url: request.url, after: session.log.lastNumber });
    sendRequest(request).then(setAnswer, (failure: unknown) =>
      setAnswer(describeNoResponse(failure)),
    );
  };
  return html`<div class="first">
    <div class="controls">
      <label>Operation
        <select
          value=${operation.id}
          onChange=${(event: Event) => {
            setOperation(valueOf(event));
            setAnswer(undefined);
          }}
        >
          ${mock.operations.map(
            ({ id, method, path }) =>
              html`<option key=${id} value=${id} selected=${id === operation.id}>${method} ${path} (${id})</option>`,
          )}
        </select>
      </label>
      ${
        keys.length > 0 &&
        html`<label>Key
          <select value=${key} onChange=${(event: Event) => setKey(valueOf(event))}>
            ${keys.map((one) => html`<option key=${one} value=${one} selected=${one === key}>${one}</option>`)}
          </select>
        </label>`
      }
      <button type="button" class="main" disabled=${blocked !== undefined} title=${blocked} onClick=${send}>Send</button>
    </div>
    <${Answer} answer=${answer} href=${renderRoute({ section: 'requests', sandbox, query: logged === undefined ? {} : { request: nameOf(logged) } })} />
    <h3>curl</h3>
    <${Code} text=${renderCurl(request)} what="the curl line" />
    <h3>fetch</h3>
    <${Code} text=${renderFetch(request)} what="the fetch snippet" />
  </div>`;
}

function Answer({
  answer,
  href,
}: {
  answer: ReceivedResponse | string | undefined;
  href: string;
}): Html {
  if (typeof answer === 'string') return html`<p role="status" class="error">${answer}</p>`;
  const isGood = answer !== undefined && answer.status < 400;
  return html`<div role="status">
    ${
      answer !== undefined &&
      html`<p>
          <b class=${isGood ? 'good' : 'bad'}>${answer.status}</b>${` in ${Math.round(answer.milliseconds)} ms. `}
          <a href=${href}>See it under Requests</a>
        </p>
        <${Body} text=${answer.body} most=${12} what="the response body" />`
    }
  </div>`;
}

/** Keys of the chosen sandbox; with those of `main` the one that opens a sandbox of its own. */
async function loadKeys({ mock, control, sandbox }: Session): Promise<readonly string[]> {
  const { keys, ownKey } = mock;
  if (keys.length === 0) return [];
  if (sandbox === 'main')
    return [...keys.map(({ key }) => key), ...(ownKey === undefined ? [] : [ownKey])];
  return (await control.call('getSandbox', { sandbox })).keys.map(({ key }) => key);
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLSelectElement ? target.value : '';
}
