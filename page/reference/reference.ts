import { useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import type { SectionProps, Session } from '../session/session.ts';
import { Select } from '../form/field-input.ts';
import { useLoaded } from '../session/hooks.ts';
import { SwaggerView } from './swagger-view.ts';

/** The document, with operations to try against this mock. */
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
        html`<${Select}
          label="API key"
          options=${[...keys.map((key) => [key, key]), ['', 'No key']]}
          value=${chosen}
          onValue=${pick}
        />`
      }
    </div>
    ${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
    ${
      isShown
        ? value !== undefined &&
          html`<${SwaggerView} session=${session} apiKey=${chosen === '' ? undefined : chosen} />`
        : html`<p>
              To try operations here, install this package and restart the mock:
              ${' '}<code>npm install --save-dev ${reference?.package ?? 'swagger-ui-dist'}</code>
          </p>`
    }`;
}

/** Keys of the chosen sandbox; none where the document requires none. */
function useKeys({ control, sandbox, mock }: Session) {
  return useLoaded(async () => {
    if (mock.keys.length === 0) return [];
    return (await control.call('getSandbox', { sandbox })).keys.map(({ key }) => key);
  }, [mock.instance, sandbox]);
}
