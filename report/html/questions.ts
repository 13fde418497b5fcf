import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { readQuestions, type Answered, type Chosen } from '../model/question.ts';
import { html, nothing, renderProse, type Html } from './element.ts';

/** Pieces of evidence that are shown for a choice; more say the same. */
const mostEvidence = 3;

/** What the target does where the contract is silent, question by question. */
export function renderQuestions(report: Report, contract: Contract): readonly Html[] {
  const answered = readQuestions(report, contract);
  const [shown, unshown] = [
    answered.filter(({ choices }) => choices.length > 0),
    answered.filter(({ choices }) => choices.length === 0),
  ];
  return [
    ...(shown.length === 0 ? [] : [renderTable(shown)]),
    ...(unshown.length === 0 ? [] : [renderUnshown(unshown)]),
  ];
}

function renderTable(answered: readonly Answered[]): Html {
  return html`<div class="scroll" role="region" aria-label="Open questions" tabindex="0">
    <table class="list" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">Question</th>
          <th scope="col" role="columnheader">This target</th>
          <th scope="col" role="columnheader">Evidence</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${answered.map(renderRow)}
      </tbody>
    </table>
  </div>`;
}

function renderUnshown(answered: readonly Answered[]): Html {
  return html`<details class="reason">
    <summary>
      <span class="count">${answered.length}</span> that nothing which was sent shows
    </summary>
    <ul>
      ${answered.map(({ id, question }) => html`<li><code>${id}</code> ${renderProse(question?.question ?? '')}</li>`)}
    </ul>
  </details> `;
}

function renderRow({ id, question, choices }: Answered): Html {
  const [first, ...rest] = choices;
  const height = choices.length;
  const head = html`<th scope="row" role="rowheader" rowspan="${height}">
    <code>${id}</code><br />${renderProse(question?.question ?? '')}
  </th>`;
  if (!first) return nothing;
  return html`<tr role="row">
      ${head}${renderChoice(first)}
    </tr>
    ${rest.map(
      (choice) =>
        html`<tr role="row">
          ${renderChoice(choice)}
        </tr> `,
    )}`;
}

function renderChoice({ id, description, evidence }: Chosen): Html {
  const more = evidence.length - mostEvidence;
  return html`<td role="cell">
      <strong>${id}</strong
      >${description === '' ? nothing : html`<br />${renderProse(description)}`}
    </td>
    <td role="cell">
      <ul>
        ${evidence.slice(0, mostEvidence).map(
          (each) =>
            html`<li>
                ${each.evidence} <span class="where">request ${each.exchange + 1}</span>
              </li>`,
        )}${more > 0 ? html`<li class="where">and ${more} more</li>` : nothing}
      </ul>
    </td>`;
}
