import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Table } from '../../page/view/table.ts';
import { groupByReason } from '../predicate/level.ts';
import type { VerdictEntry, WaiverEntry } from '../predicate/predicate.ts';
import { summariseVerdicts } from '../predicate/summary.ts';

/** How many requirements of each operation passed, failed, were waived and were not tested. */
export function renderByOperation(verdicts: readonly VerdictEntry[]): Html {
  const groups = Map.groupBy(
    verdicts.filter(({ level }) => level !== 'open'),
    ({ id }) => id.slice(0, id.indexOf('/')),
  );
  return Table({
    kind: 'numbers',
    label: 'Requirements by operation',
    columns: ['Operation', 'Passed', 'Failed', 'Waived', 'Not tested'],
    rows: [...groups].map(([operation, entries]) => {
      const { passed, failed, advised, waived, notTested } = summariseVerdicts(entries);
      return {
        head: operation === '*' ? 'the whole' : operation,
        cells: [
          renderCount('passed', passed.length),
          renderCount('failed', failed.length + advised.length),
          renderCount('waived', waived.length),
          renderCount('not-tested', notTested.length),
        ],
      };
    }),
  });
}

function renderCount(kind: string, count: number): Html {
  return html`<span class=${count === 0 ? 'none' : kind}>${count}</span>`;
}

/** What is required, was expected and came back. */
export function renderFailures(
  entries: readonly VerdictEntry[],
  kind: 'failed' | 'waived' | 'advised',
): Html {
  if (entries.length === 0) return null;
  return entries.map(({ id, sentence, failures: [first, ...others] }) => {
    const contrast =
      first === undefined
        ? null
        : Facts({
            kind: 'contrast',
            facts: [
              ['Expected', renderProse(first.expected)],
              ['Received', renderProse(shorten(first.received))],
              ['Shown by', `log ${describeEvidence(first.evidence, others.length)}`],
            ],
          });
    return html`<article class=${`failure ${kind}`}>
      <h3><code>${id}</code></h3>
      <p class="requirement">${renderProse(sentence)}</p>
      ${contrast}
    </article>`;
  });
}

function describeEvidence(evidence: readonly number[], others: number): string {
  const entries =
    evidence.length === 1 ? `entry ${evidence[0] ?? 0}` : `entries ${evidence.join(', ')}`;
  if (others === 0) return entries;
  return `${entries}, and ${others === 1 ? 'once more' : `${others} more times`}`;
}

export function renderWaivers(waivers: readonly WaiverEntry[]): Html {
  const rows = waivers.map(({ requirement, reason, owner, expires, state }) => ({
    head: html`<code>${requirement}</code>`,
    cells: [states[state], reason, `${owner}, until ${expires}`],
  }));
  const columns = ['Requirement', 'State', 'Reason', 'Owner'];
  return rows.length === 0
    ? null
    : Table({ kind: 'list', label: 'Waivers and their state', columns, rows });
}

const states: Readonly<Record<WaiverEntry['state'], string>> = {
  used: 'in force: the requirement failed',
  unreached: 'in force: the requirement was not tested',
  expired: 'EXPIRED at the time of the run',
  needless: 'UNNECESSARY: the requirement passed',
};

export function renderNotTested(entries: readonly VerdictEntry[]): Html {
  if (entries.length === 0) return null;
  return groupByReason(entries).map(({ reason, ids }) => [
    html`<p class="why"><strong>${ids.length}</strong>${` since ${reason}:`}</p>`,
    html`<ul class="ids">${ids.map((id) => html`<li><code>${id}</code></li>`)}</ul>`,
  ]);
}

export function renderObserved(observed: readonly VerdictEntry[]): Html {
  const rows = observed.map(({ sentence, choices, id }) => ({
    head: html`${renderProse(sentence)}<br /><code>${id}</code>`,
    cells: [choices.map((choice) => choice ?? 'something else').join(', ')],
  }));
  const columns = ['Question', 'This target'];
  return rows.length === 0
    ? null
    : Table({ kind: 'observed', label: 'Questions with what was observed', columns, rows });
}

export function renderAppendix(verdicts: readonly VerdictEntry[]): Html {
  const judged = verdicts.filter(({ level }) => level !== 'open');
  return Table({
    kind: 'appendix',
    label: 'Requirements with their verdicts',
    columns: ['Requirement', 'Verdict', 'Log'],
    rows: judged.map(({ id, sentence, verdict, level, evidence, reason }) => ({
      head: html`<code>${id}</code><br />${renderProse(sentence)}`,
      cells: [
        [
          html`<strong class=${verdict}>${verdict.replace('-', ' ')}</strong>`,
          level === 'must' ? null : ' (recommended)',
          reason === null ? null : [html`<br />`, reason],
        ],
        evidence.length,
      ],
    })),
  });
}

function shorten(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
