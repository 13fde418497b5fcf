import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { readQuestions, type Answered, type Chosen } from '../model/question.ts';
import { countOf, listNotTested, waiverWords } from '../model/summary.ts';
import { html, nothing, renderProse, type Html } from './element.ts';
import { renderTable, type Row } from './frame.ts';

/** Pieces of evidence that are shown for a choice; more say the same. */
const mostEvidence = 3;

/** What the target does where the contract is silent, question by question. */
export function renderQuestions(report: Report, contract: Contract): readonly Html[] {
  const questions = readQuestions(report, contract);
  const rows = questions.flatMap(renderQuestion);
  const unshown = questions.filter(({ choices }) => choices.length === 0);
  const columns = ['Question', 'This target', 'Evidence'];
  const table = renderTable({ kind: 'list', label: 'Open questions', columns, rows });
  const rest = renderGroup('that nothing which was sent shows', unshown.map(nameQuestion));
  return [...(rows.length === 0 ? [] : [table]), ...(unshown.length === 0 ? [] : [rest])];
}

function renderQuestion(answered: Answered): readonly Row[] {
  const { id, question, choices } = answered;
  const name = html`<code>${id}</code><br />${renderProse(question?.question ?? '')}`;
  return choices.map((choice, index) => ({
    head: index > 0 ? undefined : name,
    span: choices.length,
    cells: renderChoice(choice),
  }));
}

function nameQuestion({ id, question }: Answered): Html {
  return html`<code>${id}</code> ${renderProse(question?.question ?? '')}`;
}

function renderChoice({ id, description, evidence }: Chosen): readonly Html[] {
  const more = evidence.length - mostEvidence;
  const shown = evidence
    .slice(0, mostEvidence)
    .map(
      (each) =>
        html`<li>${each.evidence} <span class="where">request ${each.exchange + 1}</span></li>`,
    );
  return [
    html`<strong>${id}</strong>${description === '' ? nothing : html`<br />${renderProse(description)}`}`,
    html`<ul>
      ${shown}${more > 0 ? html`<li class="where">and ${more} more</li>` : nothing}
    </ul>`,
  ];
}

export function renderNotTested(report: Report): readonly Html[] {
  return listNotTested(report).map(({ reason, ids }) => {
    const items = ids.map((id) => html`<code>${id}</code>`);
    return renderGroup(reason, items);
  });
}

function renderGroup(words: string, items: readonly Html[]): Html {
  return html`<details class="reason">
    <summary><span class="count">${items.length}</span> ${words}</summary>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </details> `;
}

export function renderWaivers({ waivers }: Report): readonly Html[] {
  const rows = waivers.map(({ waiver, state }) => ({
    head: html`<code>${waiver.requirement}</code>`,
    cells: [waiverWords[state], waiver.reason, `${waiver.owner}, until ${waiver.expires}`],
  }));
  const columns = ['Requirement', 'State', 'Reason', 'Owner'];
  return rows.length === 0 ? [] : [renderTable({ kind: 'list', label: 'Waivers', columns, rows })];
}

export function renderLeftBehind({ leftBehind, run }: Report): readonly Html[] {
  return [...Map.groupBy(leftBehind, ({ resource }) => resource)].map(
    ([resource, items]) =>
      html`<p>
        ${countOf(items.length, 'item')} in <code>${resource}</code>,
        tagged <code>${run.tag}</code>: ${items.map(({ id }) => id).join(', ')}
      </p> `,
  );
}
