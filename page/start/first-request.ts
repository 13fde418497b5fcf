import { useState } from 'preact/hooks';
import { Body } from '../view/body.ts';
import { Code } from '../view/code.ts';
import { type Html, html } from '../view/element.ts';
import { Select } from '../form/field-input.ts';
import { useKeys } from '../service/keys.ts';
import {
  type Operation,
  type OutgoingRequest,
  type ReceivedResponse,
  addKey,
  sendRequest,
  whyNotSent,
  renderCurl,
  renderFetch,
} from '../service/request.ts';
import { brokenOff, describeError } from '../session/describe-error.ts';
import { useLoaded } from '../session/hooks.ts';
import { nameOf } from '../session/request-log.ts';
import { type Session, useSession } from '../session/session.ts';

/** A request to try at once: chosen, shown as curl and as `fetch`, and sent from the page. */
export function FirstRequest(): Html {
  const session = useSession();
  const { mock, sandbox } = session;
  const [operationId, setOperation] = useState(mock.operations[0]?.id);
  const [answer, setAnswer] = useState<Received>();
  const [after, setAfter] = useState(0);
  const operation = mock.operations.find(({ id }) => id === operationId) ?? mock.operations[0];
  const { value: loaded, error } = useLoaded(
    async () => operation && { operation, sample: await loadSampleRequest(session, operation) },
    [operation?.id, sandbox, mock.instance],
  );
  const keys = useKeys();
  if (operation === undefined) return html`<p>The document has no operations.</p>`;
  if (loaded === undefined || keys === undefined) return html`<p class="error">${error}</p>`;
  const { sample } = loaded;
  const { key, picker } = keys;
  const request = key === undefined ? sample : addKey(sample, operation.credentials, key);
  const blocked =
    loaded.operation.id === operation.id ? whyNotSent(request) : 'The sample is loading.';
  const send = (): void => {
    setAfter(session.log.snapshot.lastNumber);
    sendRequest(request).then(setAnswer, (failure: unknown) =>
      setAnswer(describeError(failure, brokenOff)),
    );
  };
  return html`<div class="first">
    <div class="controls">
      <${Select}
        label="Operation"
        options=${mock.operations.map(({ id, method, path }) => [id, `${method} ${path} (${id})`])}
        value=${operation.id}
        onValue=${(id: string) => {
          setOperation(id);
          setAnswer(undefined);
        }}
      />
      ${picker}
      <button type="button" class="main" disabled=${blocked !== undefined} title=${blocked} onClick=${send}>Send</button>
    </div>
    <${Code} text=${renderCurl(request)} what="the curl line" />
    <details>
      <summary>As JavaScript</summary>
      <${Code} text=${renderFetch(request)} what="the fetch snippet" />
    </details>
    <${Answer} answer=${answer} onShow=${show} />
  </div>`;

  /**
   * Opens the request in the log: the first matching one since it was sent, which may arrive a moment
   * later.
   */
  function show(): void {
    const { pathname, search } = new URL(request.url);
    const open = (): void => {
      const logged = session.log.snapshot.requests.find(
        ({ number, exchange }) => number > after && exchange.target === pathname + search,
      );
      if (logged === undefined) return;
      stop();
      session.go({ section: 'requests', query: { request: nameOf(logged) } });
    };
    const stop = session.log.subscribe(open);
    open();
  }
}

type Received = ReceivedResponse | string | undefined;

function Answer({ answer, onShow }: { answer: Received; onShow: () => void }): Html {
  if (typeof answer === 'string') return html`<p role="status" class="error">${answer}</p>`;
  if (answer === undefined) return html`<div role="status"></div>`;
  const { status, milliseconds, body } = answer;
  return html`<div role="status">
    <p>
      <b class=${status < 400 ? 'good' : 'bad'}>${status}</b>${` in ${Math.round(milliseconds)} ms. `}
      <button type="button" class="small" onClick=${onShow}>Show under Requests</button>
    </p>
    <${Body} text=${body} most=${12} what="the response body" />
  </div>`;
}

/** A request to an operation that the mock can process, without its key. */
async function loadSampleRequest(
  { call, mock }: Session,
  { method, path }: Operation,
): Promise<OutgoingRequest> {
  const collections = await call('listCollections');
  const load = async (parent: string) => {
    const collection = collections.find((one) => one.path === parent);
    if (collection === undefined) return undefined;
    return { collection, ...(await call('listItems', { collection: parent })) };
  };
  // Each parameter gets the id of an existing item.
  let filled = '';
  for (const segment of path.split('/').slice(1)) {
    const isParameter = /^\{.*\}$/.test(segment);
    const { collection, items: [first] = [] } = (isParameter && (await load(filled))) || {};
    const own = first?.item[collection?.id ?? ''];
    const id = typeof own === 'string' || typeof own === 'number' ? own : (first?.id ?? 1);
    filled += `/${isParameter ? encodeURIComponent(id) : segment}`;
  }
  const url = mock.url + filled.replaceAll(/\{[^{}]*\}/g, '1');
  if (!['POST', 'PUT', 'PATCH'].includes(method))
    return { method, url, headers: [], body: undefined };
  const own = path.replace(/\/\{[^/]*\}$/, '');
  const isShallow = (one: string): boolean => own.endsWith(`}${one.slice(one.lastIndexOf('/'))}`);
  const parent =
    collections.find((one) => one.path === own) ?? collections.find((one) => isShallow(one.path));
  return {
    method,
    url,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(parent?.sample ?? {}),
  };
}
