import { type Html, html, renderProse } from '../../page/view/element.ts';
import { Facts } from '../../page/view/facts.ts';
import { Table } from '../../page/view/table.ts';
import type { Block, Cell } from '../sections/sections.ts';
import { type Verdict, isFailure } from '../../conformance/index.ts';
import {
  describeCell,
  nameOperation,
  type Cell as MatrixCell,
  type Matrix,
} from '../model/matrix.ts';
import { describeWaiver, describeSeconds } from '../model/summary.ts';
import { Code } from '../../page/view/code.ts';
import { countOf } from '../../page/view/count.ts';
import { Exchange, type ShownFailure, type ShownResponse } from '../../page/view/exchange.ts';
import { anchorOf } from '../../page/view/section.ts';
import type { CauseView, EffectView } from '../cause/causes.ts';
import type { FailureStep, FailureView } from '../model/failure.ts';
import { describeCredential, describeOutcome } from '../model/exchange-line.ts';

/** Renders the blocks of one page. Links to a requirement lead to its first occurrence. */
export function createBlockRenderer(): (block: Block) => Html {
  const placed = new Set<string>();
  return (block) => renderBlock(block, placed);
}

function renderBlock(block: Block, placed: Set<string>): Html {
  switch (block.kind) {
    case 'causes':
      return renderCauses(block.causes, block.level, placed);
    case 'matrix':
      return renderMatrix(block.matrix);
    case 'table':
      return Table({
        kind: 'list',
        label: block.label,
        columns: block.columns,
        rows: block.rows.map(({ cells: [head, ...cells] }) => ({
          head: renderCell(head),
          cells: cells.map(renderCell),
        })),
      });
    case 'list': {
      const { sentence, items, more = 0 } = block;
      const all = [...items, ...(more === 0 ? [] : [`and ${more} more`])];
      const list = html`<ul>${all.map((item) => html`<li>${item}</li>`)}</ul>`;
      return sentence === undefined ? list : [html`<p>${`${sentence}.`}</p>`, list];
    }
    case 'names':
      return html`<details class="reason">
        <summary>${block.sentence}</summary>
        <ul>${block.names.map((name) => html`<li><code>${name}</code></li>`)}</ul>
      </details>`;
    case 'facts':
      return Facts({
        facts: block.facts.map(([name, value]) => [
          name,
          /^[0-9a-f]{64}$/.test(value) ? html`<code>${value}</code>` : value,
        ]),
      });
  }
}

function renderCell(cell: Cell): Html {
  if (typeof cell === 'string') return renderProse(cell);
  const { text, note } = cell;
  return html`<strong>${text}</strong>${note === '' ? null : [html`<br />`, renderProse(note)]}`;
}

/**
 * The table of operations by families. Details of a cell open as a popover, without moving the
 * page.
 */
function renderMatrix({ families, rows }: Matrix): Html {
  const details: Html[] = [];
  const renderCount = (cell: MatrixCell, operation: string, family: string): Html => {
    if (cell.verdicts.length === 0) return null;
    const id = `cell-${details.length + 1}`;
    const count = describeCount(cell);
    details.push(renderDetail(cell, id, `${operation}, ${family}: ${count}`));
    return html`<button type="button" class=${toneOf(cell)} popovertarget=${id} aria-label=${`${operation}, ${family} ${count}`}><span class="family">${family}</span>${' '}<span>${count}</span></button>`;
  };
  const table = Table({
    kind: 'matrix',
    label: 'Requirements by operation and family',
    columns: ['Operation', ...families],
    rows: rows.map(({ operation, cells }) => {
      const head = nameOperation(operation);
      return { head, cells: cells.map((cell, at) => renderCount(cell, head, families[at] ?? '')) };
    }),
  });
  return [table, details];
}

function renderDetail({ verdicts }: MatrixCell, id: string, title: string): Html {
  const sorted = verdicts.toSorted((one, other) => rankOf(one) - rankOf(other));
  return html`<div id=${id} popover="auto" role="dialog" aria-labelledby=${`${id}-title`} class="detail">
    <div class="bar"><h3 id=${`${id}-title`}>${title}</h3><button type="button" popovertarget=${id} popovertargetaction="hide">Close</button></div>
    <ul>${sorted.map(renderVerdict)}</ul>
  </div>`;
}

function describeCount(cell: MatrixCell): string {
  const words = describeCell(cell).replace('FAILED', 'failed');
  return words.includes('/') ? `${words} passed` : words;
}

function toneOf({ failed, passed, verdicts }: MatrixCell): string {
  if (failed > 0) return 'failed';
  return passed < verdicts.length ? 'partly' : 'passed';
}

function rankOf(verdict: Verdict): number {
  return ['failed', 'waived', 'not-tested', 'open', 'passed'].indexOf(verdict.kind);
}

function renderVerdict(verdict: Verdict): Html {
  const { id, sentence } = verdict.requirement;
  const isAdvice = verdict.kind === 'failed' && !isFailure(verdict);
  const kind = isAdvice ? 'advised' : verdict.kind === 'open' ? 'passed' : verdict.kind;
  const reason = describeReason(verdict);
  const name =
    kind === 'passed' || kind === 'not-tested'
      ? html`<code>${id}</code>`
      : html`<a href=${`#${failureAnchor(id)}`}><code>${id}</code></a>`;
  return html`<li class=${kind}>
    <span class="word">${kind.replace('-', ' ')}</span>${' '}${name}<br />${renderProse(sentence)}${reason === '' ? null : html` <em>${reason}</em>`}
  </li>`;
}

function describeReason(verdict: Verdict): string {
  if (verdict.kind === 'not-tested') return verdict.reason;
  return verdict.kind === 'waived' ? describeWaiver(verdict.waiver) : '';
}

/**
 * The causes of failures, one line each, which opens to an exchange that shows it and its effects.
 *
 * @param placed requirements that have an anchor on the page; those of these causes are added
 */
function renderCauses(
  causes: readonly CauseView[],
  kind: 'failed' | 'advised' | 'waived',
  placed: Set<string>,
): Html {
  return causes.map((cause, index) =>
    renderCause(cause, `cause-${kind}-${index + 1}`, kind, placed),
  );
}

function renderCause(
  { sentence, failure, seen, effects }: CauseView,
  id: string,
  kind: string,
  placed: Set<string>,
): Html {
  const { requirement, source } = failure;
  const extent = effects.length === 0 ? '' : countOf(effects.length + 1, 'requirement');
  return html`<details class=${`failure ${kind}`} id=${id}>
    <summary><h3>${renderProse(sentence)}</h3>${' '}<span class="extent">${extent}</span></summary>
    <p class="requirement" id=${placeOf(requirement.id, placed)}><code>${requirement.id}</code>${' '}${renderProse(requirement.sentence)}</p>
    <p class="source">${source}</p>
    ${renderProof(failure)}
    ${seen === undefined ? null : html`<p class="note">${`Seen ${seen}.`}</p>`}
    ${renderEffects(effects, placed)}
  </details>`;
}

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

/** The anchor of a requirement; only its first occurrence gets one. */
function placeOf(requirement: string, placed: Set<string>): string | undefined {
  if (placed.has(requirement)) return undefined;
  placed.add(requirement);
  return failureAnchor(requirement);
}

function failureAnchor(requirement: string): string {
  return anchorOf(`failure-${requirement}`);
}

/** Expected and received values, the exchanges, and commands to repeat them. */
function renderProof({ expected, received, steps, replay }: FailureView): Html {
  return [
    Facts({
      kind: 'contrast',
      facts: [
        ['Expected', renderProse(expected)],
        ['Received', renderProse(received)],
      ],
    }),
    steps.map((step, index) => renderStep(step, titleOf(step, index, steps.length))),
    replay === undefined ? null : renderCommand('Replay', replay),
  ];
}

function renderCommand(label: string, command: string): Html {
  return html`<p class="label">${label}</p>
    ${Code({ text: command, what: `the ${label.toLowerCase()} line` })}`;
}

/** Requests are numbered from 1 for people. */
function titleOf({ exchange }: FailureStep, index: number, steps: number): string {
  const order = index === 0 ? 'First request' : 'Then request';
  return `${steps === 1 ? 'Request' : order} ${exchange.index + 1}`;
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
