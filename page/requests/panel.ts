import { useEffect, useRef } from 'preact/hooks';
import { type Html, html } from '../view/element.ts';
import { Facts } from '../view/facts.ts';
import {
  type ExchangeProps,
  Exchange as ExchangeView,
  type ShownHeaders,
} from '../view/exchange.ts';
import type { LoggedRequest } from '../session/request-log.ts';
import type { Session } from '../session/session.ts';
import type { Exchange, ExchangeDetail } from '../session/types.ts';
import { renderMoment } from '../session/clock.ts';
import { type TimedSandbox, useLoaded } from '../session/hooks.ts';
import { Actions } from './actions.ts';
import { Reasons } from './reasons.ts';
import { type Rebuilt, rebuildRequest } from './rebuild-request.ts';

export interface PanelProps {
  readonly session: Session;
  readonly request: LoggedRequest;
  /** The sandbox of the request; undefined while it is not known. */
  readonly sandbox: TimedSandbox | undefined;
  readonly onClose: () => void;
}

/** Narrower windows show it as a sheet over the list, which gets the focus. */
const sheet = '(max-width: 62rem)';

/** A request with its response, and what can be done with it. */
export function Panel({ session, request, sandbox, onClose }: PanelProps): Html {
  const { exchange } = request;
  const { value: detail, error } = useLoaded(
    async () =>
      await session.control.call('readExchange', {
        sandbox: exchange.sandbox,
        index: exchange.index,
      }),
    [],
  );
  const rebuilt: Rebuilt =
    detail === undefined || sandbox === undefined
      ? { kind: 'lost', reason: error ?? 'It is loading.' }
      : rebuildRequest(detail, session.mock, sandbox.keys);
  const { method, target, status } = exchange;
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
    <${Actions} session=${session} exchange=${exchange} rebuilt=${rebuilt} detail=${detail} />
    <${Reasons} session=${session} exchange=${exchange} place=${detail?.place} />
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

/** What there is to know of an exchange besides its messages. */
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

/** In short; the exact time is its title. */
function renderAt(at: string): Html {
  return html`<time dateTime=${at} title=${at}>${renderMoment(at)}</time>`;
}

function renderKey(credential: Exchange['credential'], plan = ''): string {
  if (credential === 'missing') return 'none';
  if (credential === 'invalid') return 'unknown';
  return plan === '' ? 'valid' : `valid, plan ${plan}`;
}
