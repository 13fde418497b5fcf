import { type Html, html, renderProse } from '../../page/view/element.ts';
import { cutMiddle } from '../../page/view/body.ts';
import type { CauseView, EffectView } from '../cause/cause-view.ts';
import type { FailureView } from '../model/failure.ts';
import { countOf } from '../../page/view/count.ts';
import type { ReportSection } from '../sections/sections.ts';
import { failureAnchor, renderProof } from './failure.ts';

/**
 * The causes of failures, one line each: it opens to an exchange that shows it, and its effects.
 *
 * @param told has the requirements that have a place on the page, and gets those of these causes
 */
export function renderCauses(
  { blocks }: ReportSection,
  kind: 'failed' | 'advised',
  told: Set<string>,
): Html {
  const causes = blocks.flatMap((block) => (block.kind === 'causes' ? block.causes : []));
  const all = causes.map((cause, index) =>
    renderCause(cause, `cause-${kind}-${index + 1}`, kind, told),
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
  told: Set<string>,
): Html {
  const { requirement, source } = failure;
  const extent = effects.length === 0 ? '' : countOf(effects.length + 1, 'requirement');
  return html`<details class=${`failure ${kind}`} id=${id}>
    <summary><h3>${renderHeadline(sentence, failure)}</h3>${' '}<span class="extent">${extent}</span></summary>
    <p class="requirement" id=${placeOf(requirement.id, told)}><code>${requirement.id}</code>${' '}${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)}
    ${seen.length === 0 ? null : html`<p class="note">${`Seen: ${seen.join('; ')}.`}</p>`}
    ${renderEffects(effects, told)}
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

function renderEffects(effects: readonly EffectView[], told: Set<string>): Html {
  if (effects.length === 0) return null;
  const items = effects.map(({ requirement, expected, received, count }) => {
    const advice = requirement.level === 'should' ? ', advised' : '';
    const extent = `${countOf(count, 'time')}${advice}`;
    return html`<li id=${placeOf(requirement.id, told)}><code>${requirement.id}</code>${' '}<span class="where">${extent}</span><br />${`expected ${expected}, received ${received}`}</li>`;
  });
  return html`<details class="effects">
    <summary>${`Effects: ${countOf(effects.length, 'further requirement')}`}</summary>
    <ul>${items}</ul>
  </details>`;
}

/** The identifier by which links to a requirement find it, at its first place. */
function placeOf(requirement: string, told: Set<string>): string | undefined {
  if (told.has(requirement)) return undefined;
  told.add(requirement);
  return failureAnchor(requirement);
}
