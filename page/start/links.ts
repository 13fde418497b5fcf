import { CopyButton } from '../../view/copy-button.ts';
import { type Html, html } from '../../view/element.ts';
import type { Mock } from '../session/types.ts';

/** Addresses that other tools take. */
export function Links({ links: { yaml, json, health, control } }: { links: Mock['links'] }): Html {
  return html`<h2>Addresses for tools</h2>
    <dl class="links">
      <${Address} name="Document, YAML" url=${yaml} />
      <${Address} name="Document, JSON" url=${json} />
      <${Address} name="Health" url=${health} />
      <${Address} name="Control interface" url=${control} />
    </dl>
    <p class="soft">Swagger UI, Scalar and Postman import the document by its URL; it names this mock as its server. All that this page does is a call of the control interface.</p>`;
}

function Address({ name, url }: { name: string; url: string }): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="copied"><a href=${url} target="_blank" rel="noreferrer"><code>${url}</code></a> ${CopyButton({ text: url, what: `the address: ${name}` })}</dd>
  </div>`;
}
