import { useEffect, useRef, useState } from 'preact/hooks';
import type { Exchange, ExchangeDetail } from '../../mock/control/client.ts';
import { Body } from '../view/body.ts';
import { type Html, html, renderProse } from '../view/element.ts';
import {
  type ExchangeProps,
  Exchange as ExchangeView,
  type ShownHeaders,
} from '../view/exchange.ts';
import { Facts } from '../view/facts.ts';
import { resolve } from '../form/draft.ts';
import { renderMoment } from '../session/clock.ts';
import { type TimedSandbox, useLoaded } from '../session/hooks.ts';
import { fetchDocument, useSession } from '../session/session.ts';
import { Actions } from './actions.ts';
import { type Rebuilt, rebuildRequest } from './rebuild-request.ts';

interface PanelProps {
  readonly exchange: Exchange;
  /** Its sandbox, which is that of the session; undefined until it is loaded. */
  readonly sandbox: TimedSandbox | undefined;
  readonly onClose: () => void;
}

/** Narrower windows show it as a sheet over the list, which gets the focus. */
const sheet = '(max-width: 62rem)';

/** A request with its response, and what can be done with it. */
export function Panel({ exchange, sandbox, onClose }: PanelProps): Html {
  const { call, mock } = useSession();
  const { index, method, target, status } = exchange;
  const { value: detail, error } = useLoaded(() => call('readExchange', { index }), []);
  const rebuilt: Rebuilt =
    detail === undefined || sandbox === undefined
      ? { kind: 'lost', reason: error ?? 'It is loading.' }
      : rebuildRequest(detail, mock, sandbox.keys);
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (matchMedia(sheet).matches) closeButton.current?.focus();
  }, []);
  return html`<section
    class="request-panel"
    aria-label=${`${method} ${target}`}
    onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && onClose()}
  >
    <div class="request-head">
      <h2><b>${method}</b> ${target} → ${status}</h2>
      <button type="button" class="quiet" aria-label="Close" ref=${closeButton} onClick=${onClose}>✕</button>
    </div>
    <${Actions} exchange=${exchange} rebuilt=${rebuilt} detail=${detail} />
    <${Reasons} exchange=${exchange} place=${detail?.place} />
    ${error !== undefined && html`<p class="error">${error} The mock keeps the last requests of each sandbox.</p>`}
    ${detail !== undefined && html`<${ExchangeView} ...${messagesOf(detail)} />`}
    <${Facts} facts=${listFacts(exchange, sandbox?.hasOwnTime === true)} />
  </section>`;
}

function messagesOf({ exchange, request, response }: ExchangeDetail): ExchangeProps {
  const { method, target, status } = exchange;
  const { body } = request;
  return {
    request: { method, target, headers: pairsOf(request), body, note: cutNote(request) },
    response: {
      status,
      headers: pairsOf(response),
      body: response.body ?? '',
      note: cutNote(response),
    },
    startsWithResponse: true,
  };
}

function pairsOf({ headers }: ExchangeDetail['request']): ShownHeaders {
  return headers.map(({ name, value }) => [name, value] as const);
}

function cutNote({ body = '', bodyLength = 0 }: ExchangeDetail['request']): string | undefined {
  return bodyLength > new TextEncoder().encode(body).length && body !== ''
    ? `the beginning of a body of ${bodyLength.toLocaleString('en')} bytes`
    : undefined;
}

/** Facts about an exchange besides its messages. */
function listFacts(
  exchange: Exchange,
  hasOwnTime: boolean,
): (readonly [name: string, value: Html])[] {
  const { at, sandbox, plan, operation, credential, rate, retryAfter, preferred, event } = exchange;
  const { milliseconds, callbacks = [], index } = exchange;
  const facts: readonly (readonly [name: string, value: Html | undefined])[] = [
    [
      'Time',
      html`${renderAt(at)}${hasOwnTime ? `, by the clock of ${sandbox}, which was changed` : ''}`,
    ],
    ['Duration', `${milliseconds.toFixed(2)} ms`],
    ['Operation', operation ?? 'none'],
    ['Sandbox', `${sandbox}, request ${index + 1}`],
    ['Key', renderKey(credential, plan)],
    [
      'Rate limit',
      rate &&
        html`${rate.remaining.toLocaleString('en')} of ${rate.limit.toLocaleString('en')} left, reset at ${renderAt(rate.resetAt)}`,
    ],
    ['Retry-After', retryAfter],
    ['Preference followed', preferred],
    ['Event sent', event],
    ...callbacks.map(({ name, url }) => [`Callback ${name}`, html`<code>${url}</code>`] as const),
  ];
  return facts.filter(([, value]) => value !== undefined);
}

/** A short time, with the exact one as its title. */
function renderAt(at: string): Html {
  return html`<time dateTime=${at} title=${at}>${renderMoment(at)}</time>`;
}

function renderKey(credential: Exchange['credential'], plan = ''): string {
  if (credential === 'missing') return 'none';
  if (credential === 'invalid') return 'unknown';
  return plan === '' ? 'valid' : `valid, plan ${plan}`;
}

/** Explains the response: the refusal with its location in the document, a fault, a stub, hints. */
function Reasons({ exchange, place }: { exchange: Exchange; place: string | undefined }): Html {
  const { mock, sandbox, linkTo } = useSession();
  const { refusal, fault, stub, hints = [], status } = exchange;
  const [isOpen, setIsOpen] = useState(false);
  const isRefusal = refusal !== undefined && refusal.check !== 'fault' && refusal.check !== 'stub';
  const link = (what: string): Html =>
    html`${' '}<a href=${linkTo('sandboxes', 'faults')}>${what} of ${sandbox}</a>`;
  return html`
    ${isRefusal && html`<p class="reason"><b>Refused</b> (${refusal.check}): ${refusal.message} <code>${refusal.reason}</code></p>`}
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
        ${isOpen && html`<${Excerpt} place=${place} />`}
        <p>
          <a href=${linkTo('reference')}>Reference</a>
          ${' · '}<a href=${mock.links.yaml} target="_blank" rel="noreferrer">openapi.yaml</a>
        </p>
      </details>`
    }
  `;
}

/** The part of the document at a location. */
function Excerpt({ place }: { readonly place: string }): Html {
  const session = useSession();
  const { value, error } = useLoaded(async () => {
    const found = resolve(await fetchDocument(session), place);
    return found === undefined ? '' : JSON.stringify(found);
  }, [place, session.mock.instance]);
  if (value === undefined) return html`<p class="error">${error}</p>`;
  return html`<${Body} text=${value} what="what the document says" />`;
}
