import type { CauseView, EffectView } from '../cause/cause-view.ts';
import { countOf } from '../model/summary.ts';
import { html, nothing, renderProse, type Html } from './element.ts';
import { failureAnchor, renderProof } from './failure.ts';

/** The causes of failures, each with an exchange that shows it, and its effects. */
export function renderCauses(
  causes: readonly CauseView[],
  kind: 'failed' | 'advised',
): readonly Html[] {
  const told = new Set<string>();
  return causes.map((cause, index) => renderCause(cause, `cause-${kind}-${index + 1}`, kind, told));
}

/** `told` has the requirements that have a place on the page: a second cause leads to the first. */
function renderCause(
  { sentence, failure, seen, effects }: CauseView,
  id: string,
  kind: string,
  told: Set<string>,
): Html {
  const { requirement, source } = failure;
  const place = placeOf(requirement.id, told);
  const headline =
    sentence === undefined ? html`<span ${place}>${requirement.id}</span>` : renderProse(sentence);
  return html`<article class="failure ${kind}" aria-labelledby="${id}">
    <h3 id="${id}"><a href="#${id}">${headline}</a></h3>
    ${sentence === undefined ? nothing : html`<p ${place}><code>${requirement.id}</code></p>`}
    <p class="requirement">${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)} ${renderSeen(seen)} ${renderEffects(effects, told)}
  </article> `;
}

function renderSeen(seen: readonly string[]): Html {
  return seen.length === 0 ? nothing : html`<p class="more">In all: ${seen.join('; ')}.</p>`;
}

function renderEffects(effects: readonly EffectView[], told: Set<string>): Html {
  if (effects.length === 0) return nothing;
  const items = effects.map(({ requirement, expected, received, count }) => {
    const place = placeOf(requirement.id, told);
    const advice = requirement.level === 'should' ? ', advised' : '';
    return html`<li ${place}><code>${requirement.id}</code> <span class="where">${countOf(count, 'time')}${advice}</span><br />expected ${expected}, received ${received}</li>`;
  });
  return html`<p class="label">Effects: ${countOf(effects.length, 'further requirement')}</p>
    <ul class="effects">
      ${items}
    </ul>`;
}

/** The attribute by which links to a requirement find it, at its first place. */
function placeOf(requirement: string, told: Set<string>): Html {
  if (told.has(requirement)) return nothing;
  told.add(requirement);
  return html`id="${failureAnchor(requirement)}"`;
}
