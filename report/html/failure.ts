import { splitAt, type Stretch } from '../model/difference.ts';
import type { Outcome } from '../../conformance/index.ts';
import { describeCredential, describeOutcome } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { countOf } from '../model/summary.ts';
import { anchorOf, html, nothing, renderProse, type Html } from './element.ts';
import { renderFacts } from './frame.ts';

/** A failed requirement that somebody has agreed to live with. */
export function renderWaived(failure: FailureView): Html {
  const { requirement, source, more } = failure;
  const id = failureAnchor(requirement.id);
  return html`<article class="failure waived" aria-labelledby="${id}">
    <h3 id="${id}"><a href="#${id}">${requirement.id}</a></h3>
    <p class="requirement">${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)}
    ${more === 0 ? nothing : html`<p class="more">Seen ${more === 1 ? 'once' : `${more} times`} more in this run.</p>`}
  </article> `;
}

/** Where the page tells of a failed requirement. */
export function failureAnchor(requirement: string): string {
  return anchorOf(`failure-${requirement}`);
}

/** What was expected and what came back, the exchanges, and how to see them again. */
export function renderProof(failure: FailureView): Html {
  const { requirement, expected, received, words, difference, steps, replay } = failure;
  const showsHeaders =
    requirement.family === 'header' ||
    requirement.family === 'rate-limit' ||
    /header|content.type/i.test(`${requirement.id} ${expected}`);
  return html`${renderFacts('contrast', [
    ['Expected', renderMarked(expected, difference?.expected)],
    [capitalise(words.received), renderMarked(received, difference?.received)],
  ])}
  ${steps.map((step, index) => renderStep(step, titleOf(index, steps.length), showsHeaders))}
  ${replay === undefined ? nothing : renderCommand('Replay', replay)}`;
}

function renderCommand(label: string, command: string): Html {
  return html`<p class="label">${label}</p>
    <pre tabindex="0"><code>${command}</code></pre>`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function titleOf(index: number, steps: number): string {
  if (steps === 1) return 'The exchange';
  return index === 0 ? 'First' : 'Then';
}

function renderMarked(text: string, stretch: Stretch | undefined): Html {
  const [before, within, after] = splitAt(text, stretch);
  return html`${before}${within === '' ? nothing : html`<mark>${within}</mark>`}${after}`;
}

function renderStep({ exchange, curl }: FailureStep, title: string, showsHeaders: boolean): Html {
  const { request, outcome, index, sentAt, endedAt } = exchange;
  const credential = describeCredential(request.credential);
  return html`<section class="exchange">
    <h4>${title} <span>request ${index + 1}, ${endedAt - sentAt} ms</span></h4>
    <p class="label">Sent${credential === '' ? '' : `, ${credential}`}</p>
    <pre
      tabindex="0"
    ><code><b>${request.method} ${request.target}</b>${request.headers.map(([name, value]) => `\n${name}: ${value}`)}${
      request.body === undefined ? '' : ['\n\n', renderText(request.body)]
    }</code></pre>
    <p class="label">Came back</p>
    ${renderOutcome(outcome, showsHeaders)}
    ${curl === undefined ? nothing : html`${renderCommand('To see it again', curl)} `}
  </section> `;
}

/** Longest text that the page shows whole; the rest is in the report's other files. */
const longest = 4000;

/** A response as it came, its headers folded unless they are looked for; or why none came. */
function renderOutcome(outcome: Outcome, showsHeaders: boolean): Html {
  if (outcome.kind === 'no-response')
    return html`<pre tabindex="0"><code><b>${describeOutcome(outcome)}</b>
${outcome.error.message}</code></pre>`;
  const { status, headers, body, utf8 } = outcome.response;
  return html`<pre tabindex="0"><code><b>${status}</b>
${body === '' ? html`<em>no body</em>` : renderText(body)}</code></pre>
    ${utf8 ? nothing : html`<p class="note">The body is not UTF-8: what cannot be read stands as U+FFFD.</p>`}
    <details class="headers" ${showsHeaders ? openAttribute : nothing}>
      <summary>${countOf(headers.length, 'header')}</summary>
      <pre tabindex="0"><code>${headers.map(([name, value]) => `${name}: ${value}\n`)}</code></pre>
    </details>`;
}

const openAttribute = html` open`;

/** A text, cut where it is very long. */
function renderText(text: string): Html {
  if (text.length <= longest) return html`${text}`;
  return html`${text.slice(0, longest)}<em
      >… ${text.length - longest} characters more, in report.json</em
    >`;
}
