import { type Html, html, nothing, renderProse } from '../../report/index.ts';
import { groupByReason } from '../predicate/level.ts';
import type { VerdictEntry, WaiverEntry } from '../predicate/predicate.ts';
import { summariseVerdicts } from '../predicate/summary.ts';

/**
 * The operation of a requirement, for people: its id begins with it, and a star stands for the
 * service as a whole.
 */
function nameOperation(id: string): string {
  const [operation = ''] = id.split('/');
  return operation === '*' ? 'the whole' : operation;
}

/** How many requirements of each operation were passed, failed, waived and not tested. */
export function renderByOperation(verdicts: readonly VerdictEntry[]): Html {
  const groups = Map.groupBy(
    verdicts.filter(({ level }) => level !== 'open'),
    ({ id }) => nameOperation(id),
  );
  const rows = [...groups].map(([operation, entries]) => {
    const { passed, failed, advised, waived, unreached } = summariseVerdicts(entries);
    const numbers = [
      passed.length,
      failed.length + advised.length,
      waived.length,
      unreached.length,
    ];
    return html`<tr>
      <th scope="row">${operation}</th>
      ${numbers.map((count, index) => html`<td class="${count === 0 ? 'none' : (tones[index] ?? '')}">${count}</td>`)}
    </tr> `;
  });
  return html`<table class="numbers">
    <thead>
      <tr>
        <th scope="col">Operation</th>
        <th scope="col">Passed</th>
        <th scope="col">Violated</th>
        <th scope="col">Waived</th>
        <th scope="col">Not reached</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

const tones: readonly string[] = ['good', 'bad', 'doubt', 'doubt'];

/** What was documented, expected and received. */
export function renderFailures(entries: readonly VerdictEntry[]): readonly Html[] {
  return entries.map(({ id, sentence, failures }) => {
    const [first] = failures;
    const others = failures.length - 1;
    const contrast =
      first === undefined
        ? nothing
        : html`<dl>
            <div>
              <dt>Expected</dt>
              <dd>${renderProse(first.expected)}</dd>
            </div>
            <div>
              <dt>Came back</dt>
              <dd>${renderProse(shorten(first.received))}</dd>
            </div>
            <div>
              <dt>Shown by</dt>
              <dd>
                log
                ${describeEvidence(first.evidence)}${others > 0 ? `, and ${others === 1 ? 'once more' : `${others} more times`}` : ''}
              </dd>
            </div>
          </dl>`;
    return html`<article>
      <h3><code>${id}</code></h3>
      <p>${renderProse(sentence)}</p>
      ${contrast}
    </article> `;
  });
}

function describeEvidence(evidence: readonly number[]): string {
  return evidence.length === 1 ? `entry ${evidence[0] ?? 0}` : `entries ${evidence.join(', ')}`;
}

/** Waivers with what became of them. */
export function renderWaivers(waivers: readonly WaiverEntry[]): readonly Html[] {
  if (waivers.length === 0) return [];
  const rows = waivers.map(
    ({ requirement, reason, owner, expires, state }) =>
      html`<tr>
        <th scope="row"><code>${requirement}</code></th>
        <td>${reason}</td>
        <td>${owner}</td>
        <td>${expires}</td>
        <td>${states[state]}</td>
      </tr> `,
  );
  return [
    html`<table class="waivers">
      <thead>
        <tr>
          <th scope="col">Promise</th>
          <th scope="col">Reason</th>
          <th scope="col">Owner</th>
          <th scope="col">Until</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  ];
}

const states: Readonly<Record<WaiverEntry['state'], string>> = {
  used: 'in force: the requirement is failed',
  unreached: 'in force: the requirement was not reached',
  expired: 'OUT OF DATE at the time of the run',
  needless: 'NEEDLESS: the requirement holds',
};

/** The requirements that were not reached, by reason. */
export function renderUnreached(unreached: readonly VerdictEntry[]): readonly Html[] {
  return groupByReason(unreached).map(
    ({ reason, ids }) =>
      html`<p class="reason"><strong>${ids.length}</strong> since ${reason}:</p>
        <ul class="ids">
          ${ids.map((id) => html`<li><code>${id}</code></li>`)}
        </ul> `,
  );
}

/** What a target does where the contract is silent. */
export function renderObserved(observed: readonly VerdictEntry[]): readonly Html[] {
  if (observed.length === 0) return [];
  const rows = observed.map(
    ({ sentence, choices, id }) =>
      html`<tr>
        <th scope="row">${renderProse(sentence)}<br /><code>${id}</code></th>
        <td>${choices.map((choice) => choice ?? 'something else').join(', ')}</td>
      </tr> `,
  );
  return [
    html`<table>
      <thead>
        <tr>
          <th scope="col">Question</th>
          <th scope="col">This target</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  ];
}

/** Every requirement with its verdict. */
export function renderAppendix(verdicts: readonly VerdictEntry[]): Html {
  const judged = verdicts.filter(({ level }) => level !== 'open');
  return html`<table class="appendix">
    <thead>
      <tr>
        <th scope="col">Promise</th>
        <th scope="col">Verdict</th>
        <th scope="col">Log</th>
      </tr>
    </thead>
    <tbody>
      ${judged.map(
        ({ id, sentence, verdict, level, evidence, reason }) =>
          html`<tr class="${verdict}">
            <th scope="row"><code>${id}</code><br />${renderProse(sentence)}</th>
            <td>
              <strong>${words[verdict]}</strong
              >${level === 'must' ? '' : ' (recommended)'}${reason === null ? '' : html`<br />${reason}`}
            </td>
            <td>${evidence.length}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

const words: Readonly<Record<VerdictEntry['verdict'], string>> = {
  passed: 'passed',
  failed: 'failed',
  waived: 'waived',
  'not-tested': 'not tested',
  open: 'open',
};

function shorten(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
