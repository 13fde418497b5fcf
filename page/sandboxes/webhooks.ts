import { useState } from 'preact/hooks';
import { Body } from '../view/body.ts';
import { html, type Html } from '../view/element.ts';
import type { ControlArguments, Delivery, Webhook } from '../../mock/control/client.ts';
import { Form } from '../form/form.ts';
import { useSession } from '../session/session.ts';
import { Panel } from './panel.ts';

/** Sends the webhooks and callbacks of the document. */
export function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }): Html {
  return html`<${Panel} id="webhooks" title="Webhooks">
    ${webhooks.map((webhook) => html`<${WebhookForm} key=${webhook.name} webhook=${webhook} />`)}
  <//>`;
}

function WebhookForm({ webhook }: { readonly webhook: Webhook }): Html {
  const { control, sandbox } = useSession();
  const { name, kind, method, operation, summary, pointer } = webhook;
  const [delivery, setDelivery] = useState<Delivery>();
  const send = async (body: NonNullable<ControlArguments<'sendWebhook'>['body']>) => {
    setDelivery(undefined);
    setDelivery(await control.call('sendWebhook', { webhook: name, sandbox, body }));
  };
  const isCallback = kind === 'callback';
  const fields = [
    {
      name: '/url',
      label: 'Receiver',
      kind: 'url',
      placeholder: 'http://127.0.0.1:8080/hook',
      isRequired: !isCallback,
      hint: isCallback ? 'Empty: the URL in the last request to its operation.' : undefined,
    },
    {
      name: '/body',
      label: 'Body',
      kind: 'loose',
      hint: 'Empty: an example from the document.',
    },
  ];
  return html`<details>
    <summary><strong>${name}</strong> <span class="soft">${method.toUpperCase()}, ${isCallback ? `callback of ${operation ?? ''}` : 'webhook'}</span></summary>
    <p class="soft">${summary} <code>${pointer}</code></p>
    <${Form} title=${`Send ${name}`} sandbox=${sandbox} fields=${fields} submit=${['Send']} onSubmit=${send} />
    ${delivery !== undefined && html`<${Delivered} delivery=${delivery} />`}
  </details>`;
}

function Delivered({ delivery }: { readonly delivery: Delivery }): Html {
  const { request, response, milliseconds, warnings } = delivery;
  return html`<div role="status">
      <p>${`${request.method} ${request.url} responded with ${response.status} in ${Math.round(milliseconds)} ms.`}</p>
      ${warnings.map((warning) => html`<p class="error" key=${warning}>${warning}</p>`)}
    </div>
    <${Body} text=${request.body ?? ''} what="the body that was sent" />
    <p class="label">Response</p>
    <${Body} text=${response.body} what="the body of the response" />`;
}
