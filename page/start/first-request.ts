import { useState } from 'preact/hooks';
import { Body } from '../view/body.ts';
import { Code } from '../view/code.ts';
import { type Html, html } from '../view/element.ts';
import { Select } from '../form/field-input.ts';
import {
  type OutgoingRequest,
  type ReceivedResponse,
  addKey,
  sendRequest,
  whyNotSent,
} from '../service/request.ts';
import { renderCurl, renderFetch } from '../service/snippets.ts';
import { freshSample } from '../sandboxes/members.ts';
import { brokenOff, describeError } from '../session/describe-error.ts';
import { useLoaded } from '../session/hooks.ts';
import { nameOf } from '../session/request-log.ts';
import type { SectionProps, Session } from '../session/session.ts';
import type { Operation } from '../session/types.ts';

/** A request to try at once: chosen, shown as curl and as `fetch`, and sent from the page. */
export function FirstRequest({ session }: SectionProps): Html {
  const { mock, sandbox } = session;
  const [operationId, setOperation] = useState(mock.operations[0]?.id);
  const [chosenKey, setKey] = useState<string>();
  const [answer, setAnswer] = useState<ReceivedResponse | string>();
  const [after, setAfter] = useState(0);
  const operation = mock.operations.find(({ id }) => id === operationId) ?? mock.operations[0];
  const { value: loaded, error } = useLoaded(
    async () => operation && { operation, sample: await loadSampleRequest(session, operation) },
    [operation?.id, sandbox, mock.instance],
  );
  const { value: keys } = useLoaded(() => loadKeys(session), [sandbox, mock.instance]);
  if (operation === undefined) return html`<p>The document has no operations.</p>`;
  if (loaded === undefined || keys === undefined) return html`<p class="error">${error}</p>`;
  const key = chosenKey !== undefined && keys.includes(chosenKey) ? chosenKey : keys[0];
  const { sample } = loaded;
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
      ${
        keys.length > 0 &&
        html`<${Select} label="Key" options=${keys.map((one) => [one, one])} value=${key} onValue=${setKey} />`
      }
      <button type="button" class="main" disabled=${blocked !== undefined} title=${blocked} onClick=${send}>Send</button>
    </div>
    <${Code} text=${renderCurl(request)} what="the curl line" />
    <details>
      <summary>As JavaScript</summary>
      <${Code} text=${renderFetch(request)} what="the fetch snippet" />
    </details>
    <${Answer} answer=${answer} onShow=${show} />
  </div>`;

  /** Opens the request in the log: the first like it since it was sent, which may come a moment later. */
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

function Answer({
  answer,
  onShow,
}: {
  answer: ReceivedResponse | string | undefined;
  onShow: () => void;
}): Html {
  if (typeof answer === 'string') return html`<p role="status" class="error">${answer}</p>`;
  const isGood = answer !== undefined && answer.status < 400;
  return html`<div role="status">
    ${
      answer !== undefined &&
      html`<p>
          <b class=${isGood ? 'good' : 'bad'}>${answer.status}</b>${` in ${Math.round(answer.milliseconds)} ms. `}
          <button type="button" class="small" onClick=${onShow}>Show under Requests</button>
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

/** A request to an operation that the mock can do something with, without its key. */
async function loadSampleRequest(
  { control, mock, sandbox }: Pick<Session, 'control' | 'mock' | 'sandbox'>,
  operation: Operation,
): Promise<OutgoingRequest> {
  const collections = await control.call('listCollections', { sandbox });
  const idOf = async (parent: string): Promise<string> => {
    const found = collections.find(({ path }) => path === parent);
    if (found === undefined) return '1';
    const { items } = await control.call('listItems', { sandbox, collection: parent, limit: 1 });
    const [first] = items;
    const id: unknown = found.id === undefined ? undefined : first?.item[found.id];
    return typeof id === 'string' || typeof id === 'number' ? `${id}` : (first?.id ?? '1');
  };
  const body = await sampleBody();
  return {
    method: operation.method,
    url: mock.url + (await fillPath(operation.path, idOf)),
    headers: body === undefined ? [] : [['Content-Type', 'application/json']],
    body,
  };

  /** The sample of the collection, as no item is yet. */
  async function sampleBody(): Promise<string | undefined> {
    if (!['POST', 'PUT', 'PATCH'].includes(operation.method)) return undefined;
    const parent = operation.path.replace(/\/\{[^/]*\}$/, '');
    const found = collections.find(({ path }) => path === parent);
    if (found === undefined) return '{}';
    const { items } = await control.call('listItems', { sandbox, collection: parent });
    const known = items.map(({ item }) => item);
    return JSON.stringify(freshSample(found, known));
  }
}

/** The path with the id of an item that there is in place of each parameter. */
async function fillPath(path: string, idOf: (parent: string) => Promise<string>): Promise<string> {
  let filled = '';
  for (const segment of path.split('/').slice(1)) {
    filled += `/${/^\{.*\}$/.test(segment) ? encodeURIComponent(await idOf(filled)) : segment}`;
  }
  return filled.replaceAll(/\{[^{}]*\}/g, '1');
}
