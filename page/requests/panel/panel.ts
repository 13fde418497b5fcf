import { type Html, html } from '../../../view/element.ts';
import { Exchange as ExchangeView, type ShownHeaders } from '../../../view/exchange.ts';
import type { LoggedRequest } from '../../session/request-log.ts';
import type { Session } from '../../session/session.ts';
import type { ExchangeDetail, Sandbox } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { Actions } from './actions.ts';
import { ExchangeFacts } from './facts.ts';
import { Reasons } from './reasons.ts';
import { type Rebuilt, rebuildRequest } from './rebuild-request.ts';

export interface PanelProps {
  readonly session: Session;
  readonly request: LoggedRequest;
  /** The sandbox of the request; undefined while it is not known. */
  readonly sandbox: Sandbox | undefined;
  /** The clock of its sandbox was moved. */
  readonly hasOwnTime: boolean;
  readonly onClose: () => void;
}

/** A request with its response, and what can be done with it. */
export function Panel({ session, request, sandbox, hasOwnTime, onClose }: PanelProps): Html {
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
      ? { kind: 'lost', reason: error ?? 'It is being loaded.' }
      : rebuildRequest(detail, session.mock, sandbox.keys);
  const { method, target, status } = exchange;
  return html`<section
    class="request-panel"
    aria-label=${`${method} ${target}`}
    onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && onClose()}
  >
    <div class="request-head">
      <h2><b>${method}</b> ${target} → ${status}</h2>
      <button type="button" class="quiet" aria-label="Close" onClick=${onClose}>✕</button>
    </div>
    <${Actions} session=${session} exchange=${exchange} rebuilt=${rebuilt} detail=${detail} />
    <${Reasons} session=${session} exchange=${exchange} place=${detail?.place} />
    ${error !== undefined && html`<p class="error">${error} The mock keeps the last requests of each sandbox.</p>`}
    ${detail !== undefined && html`<${ExchangeView} ...${messagesOf(detail)} />`}
    <${ExchangeFacts} exchange=${exchange} hasOwnTime=${hasOwnTime} />
  </section>`;
}

function messagesOf({
  exchange,
  request,
  response,
}: ExchangeDetail): Parameters<typeof ExchangeView>[0] {
  return {
    request: {
      method: exchange.method,
      target: exchange.target,
      headers: pairsOf(request.headers),
      body: request.body,
      note: cutNote(request),
    },
    response: {
      status: exchange.status,
      headers: pairsOf(response.headers),
      body: response.body ?? '',
      note: cutNote(response),
    },
    startsWithResponse: true,
  };
}

function pairsOf(headers: ExchangeDetail['request']['headers']): ShownHeaders {
  return headers.map(({ name, value }) => [name, value] as const);
}

function cutNote({ body = '', bodyLength = 0 }: ExchangeDetail['request']): string | undefined {
  return bodyLength > new TextEncoder().encode(body).length && body !== ''
    ? `the beginning of a body of ${bodyLength.toLocaleString('en')} bytes`
    : undefined;
}
