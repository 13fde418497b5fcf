import { splitAt, type Stretch } from '../model/difference.ts';
import { describeCredential } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { anchorOf, html, nothing, renderProse, type Html } from './element.ts';
import { renderFacts } from './frame.ts';
import { renderOutcome, renderText } from './exchange.ts';

export function renderFailure(failure: FailureView, kind: 'failed' | 'waived' | 'advised'): Html {
  const { requirement, source, expected, received, words, difference, steps, more, replay } =
    failure;
  const id = anchorOf(`failure-${requirement.id}`);
  const showsHeaders =
    requirement.family === 'header' ||
    requirement.family === 'rate-limit' ||
    /header|content.type/i.test(`${requirement.id} ${expected}`);
  return html`<article class="failure ${kind}" aria-labelledby="${id}">
    <h3 id="${id}"><a href="#${id}">${requirement.id}</a></h3>
    <p class="requirement">${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderFacts('contrast', [
      ['Expected', renderMarked(expected, difference?.expected)],
      [capitalise(words.received), renderMarked(received, difference?.received)],
    ])}
    ${steps.map((step, index) => renderStep(step, titleOf(index, steps.length), showsHeaders))}
    ${
      replay === undefined
        ? nothing
        : html`<p class="label">Replay</p>
            <pre tabindex="0"><code>${replay}</code></pre>`
    }
    ${more === 0 ? nothing : html`<p class="more">Seen ${more === 1 ? 'once' : `${more} times`} more in this run.</p>`}
  </article> `;
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
      request.body === undefined ? '' : html` ${renderText(request.body)}`
    }</code></pre>
    <p class="label">Came back</p>
    ${renderOutcome(outcome, showsHeaders)}
    ${
      curl === undefined
        ? nothing
        : html`<p class="label">To see it again</p>
            <pre tabindex="0"><code>${curl}</code></pre> `
    }
  </section> `;
}
