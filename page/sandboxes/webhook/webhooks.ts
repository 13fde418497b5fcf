import { useState } from 'preact/hooks';
import { Body } from '../../../view/body.ts';
import { html, type Html } from '../../../view/element.ts';
import type { Session } from '../../session/session.ts';
import type { Delivery, Webhook } from '../../session/types.ts';
import { useLoaded } from '../../session/use-loaded.ts';
import { keepNumber } from '../items/exact-json.ts';
import { readForm } from '../panel/form-data.ts';
import { ErrorLine, Panel } from '../panel/panel.ts';
import { useAction } from '../panel/use-action.ts';

/** The webhooks and callbacks of the document, to be sent. */
export function Webhooks({ session }: { readonly session: Session }): Html {
  const { control, mock } = session;
  const { value, error } = useLoaded(
    async () => await control.call('listWebhooks', {}),
    [mock.instance, mock.document.source],
  );
  return html`<${Panel} id="webhooks" title="Webhooks" error=${error}>
    ${value?.length === 0 && html`<p class="soft">This document has no webhooks and no callbacks.</p>`}
    ${value?.map((webhook) => html`<${WebhookForm} key=${webhook.name} session=${session} webhook=${webhook} />`)}
  <//>`;
}

interface WebhookFormProps {
  readonly session: Session;
  readonly webhook: Webhook;
}

function WebhookForm({ session, webhook }: WebhookFormProps): Html {
  const { control, sandbox } = session;
  const { name, kind, method, operation, summary, pointer } = webhook;
  const { run, error, isBusy } = useAction();
  const [delivery, setDelivery] = useState<Delivery>();
  const send = (event: Event): void => {
    const fields = readForm(event);
    const url = fields.get('url') ?? '';
    const body = fields.get('body') ?? '';
    setDelivery(undefined);
    void run(async () => {
      const order = { ...(url !== '' && { url }), ...(body !== '' && { body: readBody(body) }) };
      setDelivery(await control.call('sendWebhook', { webhook: name, sandbox, body: order }));
    });
  };
  const source = kind === 'callback' ? `callback of ${operation ?? ''}` : 'webhook';
  return html`<details>
    <summary><strong>${name}</strong> <span class="soft">${method.toUpperCase()}, ${source}</span></summary>
    <p class="soft">${summary} <code>${pointer}</code></p>
    <form onSubmit=${send} novalidate>
      <label class="block"><span>Receiver${kind === 'callback' ? ' (empty: where the last request to its operation says)' : ''}</span>
        <input name="url" type="url" placeholder="http://127.0.0.1:8080/hook" autocomplete="off" />
      </label>
      <label class="block"><span>Body (empty: an example of the document)</span>
        <textarea name="body" rows="4" spellcheck=${false}></textarea>
      </label>
      <div class="tools"><button type="submit" aria-disabled=${isBusy ? 'true' : undefined}>Send</button></div>
      <${ErrorLine} text=${error} />
    </form>
    ${delivery !== undefined && html`<${Delivered} delivery=${delivery} />`}
  </details>`;
}

function Delivered({ delivery }: { readonly delivery: Delivery }): Html {
  const { request, response, milliseconds, warnings } = delivery;
  return html`<div role="status">
    <p>${`${request.method} ${request.url} was answered ${response.status} in ${Math.round(milliseconds)} ms.`}</p>
    ${warnings.map((warning) => html`<p class="error" key=${warning}>${warning}</p>`)}
  </div>
  <${Body} text=${request.body ?? ''} what="the body that was sent" />
  <p class="label">Response</p>
  <${Body} text=${response.body} what="the body of the response" />`;
}

/** JSON where it is JSON, else the text. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text, keepNumber);
  } catch {
    return text;
  }
}
