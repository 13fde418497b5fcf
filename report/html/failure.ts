import { anchorOf } from '../../page/view/section.ts';
import { Code } from '../../page/view/code.ts';
import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Exchange, type ShownFailure, type ShownResponse } from '../../page/view/exchange.ts';
import { Facts } from '../../page/view/facts.ts';
import type { Side } from '../model/contrast.ts';
import { describeCredential, describeOutcome } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { describeSeconds } from '../model/summary.ts';

/** A failed requirement that somebody has agreed to live with, folded. */
export function renderWaived(failure: FailureView): Html {
  const { requirement, source, more } = failure;
  return html`<details class="failure waived" id=${failureAnchor(requirement.id)}>
    <summary><h3>${requirement.id}</h3></summary>
    <p class="requirement">${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)}
    ${more === 0 ? null : html`<p class="note">${`Seen ${more === 1 ? 'once' : `${more} times`} more in this run.`}</p>`}
  </details>`;
}

/** Where the page tells of a failed requirement. */
export function failureAnchor(requirement: string): string {
  return anchorOf(`failure-${requirement}`);
}

/** What was expected and what came back, the exchanges, and how to see them again. */
export function renderProof({ contrast, words, steps, replay }: FailureView): Html {
  const { field, expected, received } = contrast;
  return [
    Facts({
      kind: 'contrast',
      facts: [
        ...(field === undefined ? [] : [['Field', html`<code>${field}</code>`] as const]),
        ['Expected', renderSide(expected, false)],
        // The exchange shows what came with the status.
        [
          capitalise(words.received),
          renderSide(field === 'status' ? { ...received, text: received.value } : received, true),
        ],
      ],
    }),
    steps.map((step, index) => renderStep(step, titleOf(step, index, steps.length))),
    replay === undefined ? null : renderCommand('Replay', replay),
  ];
}

function renderSide({ text, value }: Side, isMarked: boolean): Html {
  const rest = text.slice(value.length);
  if (value === '') return text;
  return [isMarked ? html`<mark>${value}</mark>` : html`<b>${value}</b>`, rest];
}

function renderCommand(label: string, command: string): Html {
  return html`<p class="label">${label}</p>
    ${Code({ text: command, what: `the ${label.toLowerCase()} line` })}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Requests are counted from 1, as people do. */
function titleOf({ exchange }: FailureStep, index: number, steps: number): string {
  const name = `request ${exchange.index + 1}`;
  if (steps === 1) return capitalise(name);
  return `${index === 0 ? 'First' : 'Then'} ${name}`;
}

function renderStep({ exchange, curl, marks }: FailureStep, title: string): Html {
  const { request, outcome } = exchange;
  const { method, target, headers, body } = request;
  return html`<h4>${title}</h4>
    ${Exchange({
      request: { method, target, headers, body, note: describeCredential(request.credential) },
      response: readResponse(exchange),
      marks,
    })}
    ${outcome.kind === 'answered' && !outcome.response.utf8 ? html`<p class="note">The body is not UTF-8: what cannot be read stands as U+FFFD.</p>` : null}
    ${curl === undefined ? null : renderCommand('curl', curl)}`;
}

function readResponse({
  outcome,
  sentAt,
  endedAt,
}: FailureStep['exchange']): ShownResponse | ShownFailure {
  if (outcome.kind === 'no-response')
    return { reason: describeOutcome(outcome), message: outcome.error.message };
  const { status, headers, body } = outcome.response;
  const took = endedAt - sentAt;
  return { status, headers, body, note: took < 1000 ? `${took} ms` : describeSeconds(took) };
}
