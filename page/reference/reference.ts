import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { SectionProps, Session } from '../session/session.ts';
import { useLoaded } from '../session/use-loaded.ts';
import { OperationList } from './operation-list.ts';
import { SwaggerView } from './swagger-view.ts';

/** The document with a way to try it against this mock; without the library its operations. */
export function Reference({ session }: SectionProps): Html {
  const { document: shown, links, reference } = session.mock;
  const [apiKey, pick] = useState<string>();
  const { value, error } = useKeys(session);
  const keys = value ?? [];
  const chosen = keys.includes(apiKey ?? '') || apiKey === '' ? apiKey : keys[0];
  const isShown = reference?.available === true;
  return html`<div class="reference-head">
      <h1>Reference</h1>
      <p>
        ${shown.title} ${shown.version}${', '}<a href=${links.yaml}>YAML</a>${', '}<a href=${links.json}>JSON</a>
      </p>
      ${
        isShown &&
        keys.length > 0 &&
        html`<label class="inline"
          >Requests go with
          <select onChange=${(event: Event) => pick(valueOf(event))}>
            ${keys.map((key) => html`<option key=${key} value=${key} selected=${key === chosen}>${key}</option>`)}
            <option value="" selected=${chosen === ''}>no key</option>
          </select>
        </label>`
      }
    </div>
    ${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
    ${
      isShown
        ? value !== undefined &&
          html`<${SwaggerView} session=${session} apiKey=${chosen === '' ? undefined : chosen} />`
        : html`<p>
              To try operations here, install what shows the document, and start the mock again:
              ${' '}<code>npm install --save-dev ${reference?.package ?? 'swagger-ui-dist'}</code>
            </p>
            <${OperationList} operations=${session.mock.operations} />`
    }`;
}

/** Keys that open the chosen sandbox; none where the document wants none. */
function useKeys({ control, sandbox, mock }: Session) {
  return useLoaded(async () => {
    if (mock.keys.length === 0) return [];
    return (await control.call('getSandbox', { sandbox })).keys.map(({ key }) => key);
  }, [mock.instance, sandbox]);
}

function valueOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLSelectElement ? currentTarget.value : '';
}
