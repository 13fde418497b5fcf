import type { Outcome } from '../../conformance/index.ts';
import { describeOutcome } from '../model/exchange-line.ts';
import { html, nothing, type Html } from './element.ts';

/** Longest text that the page shows whole; the rest is in the report's other files. */
const longest = 4000;

/** A response as it came, its headers folded unless they are looked for; or why none came. */
export function renderOutcome(outcome: Outcome, showsHeaders: boolean): Html {
  if (outcome.kind === 'no-response')
    return html`<pre tabindex="0"><code><b>${describeOutcome(outcome)}</b>
${outcome.error.message}</code></pre>`;
  const { status, headers, body, utf8 } = outcome.response;
  return html`<pre tabindex="0"><code><b>${status}</b>
${body === '' ? html`<em>no body</em>` : renderText(body)}</code></pre>
    ${utf8 ? nothing : html`<p class="note">The body is not UTF-8: what cannot be read stands as U+FFFD.</p>`}
    <details class="headers" ${showsHeaders ? openAttribute : nothing}>
      <summary>${headers.length === 1 ? '1 header' : `${headers.length} headers`}</summary>
      <pre tabindex="0"><code>${headers.map(([name, value]) => `${name}: ${value}\n`)}</code></pre>
    </details>`;
}

const openAttribute = html` open`;

/** A text, cut where it is very long. */
export function renderText(text: string): Html {
  if (text.length <= longest) return html`${text}`;
  return html`${text.slice(0, longest)}<em
      >… ${text.length - longest} characters more, in report.json</em
    >`;
}
