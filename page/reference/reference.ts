import { useState } from 'preact/hooks';
import { countOf } from '../view/count.ts';
import { html, type Html } from '../view/element.ts';
import { renderRoute } from '../session/route.ts';
import type { SectionProps, Session } from '../session/session.ts';
import { Select } from '../form/field-input.ts';
import { useLoaded } from '../session/hooks.ts';
import { SwaggerView } from './swagger-view.ts';

/** The document, with operations to try against this mock. */
export function Reference({ session }: SectionProps): Html {
  const { sandbox } = session;
  const { document: shown, links, reference, questions } = session.mock;
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
    ${
      questions.length > 0 &&
      html`<p class="soft">
        The document leaves ${countOf(questions.length, 'question')} open (<code>x-unspecified</code>).
        ${' '}<a href=${renderRoute({ section: 'sandboxes', part: 'questions', sandbox })}>Questions</a>
        ${' '}shows what this mock does about each, and changes it.
      </p>`
    }
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
