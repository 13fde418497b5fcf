import { cutMiddle } from '../../page/view/body.ts';
import { Code } from '../../page/view/code.ts';
import { countOf } from '../../page/view/count.ts';
import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Exchange, type ShownFailure, type ShownResponse } from '../../page/view/exchange.ts';
import { Facts } from '../../page/view/facts.ts';
import { anchorOf } from '../../page/view/section.ts';
import type { CauseView, EffectView } from '../cause/cause-view.ts';
import type { Side } from '../model/contrast.ts';
import { describeCredential, describeOutcome } from '../model/exchange-line.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { describeSeconds } from '../model/summary.ts';

/**
 * The causes of failures, one line each: it opens to an exchange that shows it, and its effects.
 *
 * @param placed requirements that have an anchor on the page; those of these causes are added
 */
export function renderCauses(
  causes: readonly CauseView[],
  kind: 'failed' | 'advised',
  placed: Set<string>,
): Html {
  const all = causes.map((cause, index) =>
    renderCause(cause, `cause-${kind}-${index + 1}`, kind, placed),
  );
  if (all.length <= mostAtOnce) return all;
  const rest = all.slice(mostAtOnce);
  return [
    all.slice(0, mostAtOnce),
    html`<details class="further">
      <summary>${countOf(rest.length, 'further cause')}</summary>
      ${rest}
    </details>`,
  ];
}

/** Causes that leave room for the matrix on the first screen; the others are folded. */
const mostAtOnce = 12;

function renderCause(
  { sentence, failure, seen, effects }: CauseView,
  id: string,
  kind: string,
  placed: Set<string>,
): Html {
  const { requirement, source } = failure;
  const extent = effects.length === 0 ? '' : countOf(effects.length + 1, 'requirement');
  return html`<details class=${`failure ${kind}`} id=${id}>
    <summary><h3>${renderHeadline(sentence, failure)}</h3>${' '}<span class="extent">${extent}</span></summary>
    <p class="requirement" id=${placeOf(requirement.id, placed)}><code>${requirement.id}</code>${' '}${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)}
    ${seen === undefined ? null : html`<p class="note">${`Seen ${seen}.`}</p>`}
    ${renderEffects(effects, placed)}
  </details>`;
}

/** What is wrong in a line: the cause's sentence, or what the requirement's failure is. */
function renderHeadline(
  sentence: string | undefined,
  { requirement, expected, received }: FailureView,
): Html {
  if (sentence !== undefined) return renderProse(sentence);
  const words = `: expected ${shorten(expected)}, received ${shorten(received)}`;
  return [html`<code>${requirement.id}</code>`, renderProse(words)];
}

function shorten(text: string): string {
  const [begin, leftOut] = cutMiddle(text, longest, 0);
  return leftOut === 0 ? text : `${begin}…`;
}

/** Most characters of what was expected or received in a headline, about. */
const longest = 60;

function renderEffects(effects: readonly EffectView[], placed: Set<string>): Html {
  if (effects.length === 0) return null;
  const items = effects.map(({ requirement, expected, received, count }) => {
    const advice = requirement.level === 'should' ? ', advised' : '';
    const extent = `${countOf(count, 'time')}${advice}`;
    return html`<li id=${placeOf(requirement.id, placed)}><code>${requirement.id}</code>${' '}<span class="where">${extent}</span><br />${`expected ${expected}, received ${received}`}</li>`;
  });
  return html`<details class="effects">
    <summary>${`Effects: ${countOf(effects.length, 'further requirement')}`}</summary>
    <ul>${items}</ul>
  </details>`;
}

/** The identifier by which links to a requirement find it, at its first place. */
function placeOf(requirement: string, placed: Set<string>): string | undefined {
  if (placed.has(requirement)) return undefined;
  placed.add(requirement);
  return failureAnchor(requirement);
}

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

export function failureAnchor(requirement: string): string {
  return anchorOf(`failure-${requirement}`);
}

/** What was expected and what came back, the exchanges, and how to see them again. */
function renderProof({ contrast, words, steps, replay }: FailureView): Html {
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
    ${outcome.kind === 'answered' && !outcome.response.utf8 ? html`<p class="note">The body is not UTF-8: unreadable bytes are shown as U+FFFD.</p>` : null}
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
