import { type Html, html } from '../../../view/element.ts';
import { showLine } from '../../../view/visible.ts';
import type { LoggedRequest } from '../../session/request-log.ts';
import { statusClass } from '../filter/filter.ts';
import { renderTime } from './time.ts';
import { rowHeight } from './window.ts';

export interface RequestRowProps {
  readonly request: LoggedRequest;
  /** Among the rows, the newest at 0. */
  readonly place: number;
  readonly isSelected: boolean;
  readonly onOpen: (request: LoggedRequest) => void;
}

/** Columns of the list, in their order. */
export const columns = ['Time', 'Method', 'Target', 'Status', 'Operation', 'Sandbox', 'Plan', 'ms'];

/** Longer targets are cut in the list. */
const mostShown = 300;

/** A request in one line. */
export function RequestRow({ request, place, isSelected, onOpen }: RequestRowProps): Html {
  const { number, exchange } = request;
  const { at, method, target, status, operation, sandbox, plan, fault, stub, hints, milliseconds } =
    exchange;
  return html`<div
    role="row"
    id=${rowId(number)}
    aria-rowindex=${place + 2}
    aria-selected=${isSelected}
    class="request ${`s${statusClass(exchange)}`}"
    style=${`transform: translateY(${place * rowHeight}px)`}
    onMouseDown=${({ button }: MouseEvent) => button === 0 && onOpen(request)}
  >
    <span role="gridcell">${renderTime(at)}</span>
    <span role="gridcell">${showLine(method)}</span>
    <span role="gridcell" class="target">${showLine(target.slice(0, mostShown))}</span>
    <span role="gridcell" class="status">${status}${fault !== undefined && html` <abbr title="a fault was applied">fault</abbr>`}${stub !== undefined && html` <abbr title="a stub answered">stub</abbr>`}${hints !== undefined && html` <abbr title="with a hint">hint</abbr>`}</span>
    <span role="gridcell">${operation ?? ''}</span>
    <span role="gridcell">${sandbox}</span>
    <span role="gridcell">${plan ?? ''}</span>
    <span role="gridcell" class="number">${milliseconds.toFixed(1)}</span>
  </div>`;
}

/** Id of the element of a row. */
export function rowId(number: number): string {
  return `request-${number}`;
}
