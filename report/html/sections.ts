import type { Contract } from '../../contract/index.ts';
import type { Report } from '../../conformance/index.ts';
import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Table, type TableRow } from '../../page/view/table.ts';
import { type Answer, type Answered, readQuestions } from '../model/question.ts';
import { viewMerge } from '../model/merge.ts';
import { listNotTested, listTraffic, waiverWords } from '../model/summary.ts';
import { countOf } from '../../page/view/count.ts';

/** Pieces of evidence that are shown for a question; more say the same. */
const mostEvidence = 3;

/** What the target does where the contract is silent, question by question. */
export function renderQuestions(report: Report, contract: Contract): Html {
  const rows = readQuestions(report, contract).map(renderQuestion);
  const columns = ['Question', 'This target', 'Evidence'];
  return rows.length === 0
    ? null
    : Table({ kind: 'list', label: 'Questions and what was seen', columns, rows });
}

function renderQuestion({ id, question, answer }: Answered): TableRow {
  const head = html`<code>${id}</code><br />${renderProse(question?.question ?? '')}`;
  const cells =
    answer === undefined ? [html`<em>not seen</em>`, 'no response shows it'] : renderAnswer(answer);
  return { head, cells };
}

function renderAnswer({ name, description, evidence }: Answer): readonly Html[] {
  const more = evidence.length - mostEvidence;
  const shown = evidence
    .slice(0, mostEvidence)
    .map(
      (each) =>
        html`<li>${renderProse(each.evidence)}${' '}<span class="where">${`request ${each.exchange + 1}`}</span></li>`,
    );
  return [
    html`<strong>${name}</strong>${description === '' ? null : html`<br />${renderProse(description)}`}`,
    html`<ul>${shown}${more > 0 ? html`<li class="where">${`and ${more} more`}</li>` : null}</ul>`,
  ];
}

/** What was tested by how many shards; nothing for a report that was not merged. */
export function renderMerge(report: Report): Html {
  const view = viewMerge(report);
  if (view === undefined) return null;
  const rows = view.rows.map(([operation, ...cells]) => ({ head: operation ?? '', cells }));
  return [
    html`<ul>${view.sentences.map((each) => html`<li>${each}</li>`)}</ul>`,
    Table({ kind: 'list', label: 'Requirements by shards', columns: view.columns, rows }),
  ];
}

export function renderNotTested(report: Report): Html {
  const groups = listNotTested(report);
  if (groups.length === 0) return null;
  return groups.map(
    ({ reason, ids }) => html`<details class="reason">
      <summary><span class="count">${ids.length}</span>${' '}${reason}</summary>
      <ul>${ids.map((id) => html`<li><code>${id}</code></li>`)}</ul>
    </details>`,
  );
}

export function renderWaivers({ waivers }: Report): Html {
  const rows = waivers.map(({ waiver, state }) => ({
    head: html`<code>${waiver.requirement}</code>`,
    cells: [waiverWords[state], waiver.reason, `${waiver.owner}, until ${waiver.expires}`],
  }));
  const columns = ['Requirement', 'State', 'Reason', 'Owner'];
  return rows.length === 0
    ? null
    : Table({ kind: 'list', label: 'Waivers and their state', columns, rows });
}

/** What is told of traffic beside its verdicts. */
export function renderTraffic(report: Report): Html {
  const rows = listTraffic(report).map(({ kind, sentence, count, example }) => ({
    head: kind,
    cells: [`${count}`, sentence, example],
  }));
  const columns = ['Kind', 'Times', 'What', 'First seen in'];
  return rows.length === 0
    ? null
    : Table({ kind: 'list', label: 'Notes on traffic', columns, rows });
}

export function renderLeftBehind({ leftBehind, run }: Report): Html {
  const groups = [...Map.groupBy(leftBehind, ({ resource }) => resource)];
  if (groups.length === 0) return null;
  return groups.map(
    ([resource, items]) =>
      html`<p>${`${countOf(items.length, 'item')} in `}<code>${resource}</code>, tagged <code>${run.tag}</code>${`: ${items.map(({ id }) => id).join(', ')}`}</p>`,
  );
}
