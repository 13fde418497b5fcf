import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../view/element.ts';
import { showLine } from '../view/visible.ts';
import { renderLocalTime } from '../session/clock.ts';
import type { LoggedRequest } from '../session/request-log.ts';
import { statusClass } from './filter.ts';

interface RequestListProps {
  /** Newest first. */
  readonly rows: readonly LoggedRequest[];
  /** Number of the selected row. */
  readonly selected: number | undefined;
  readonly onSelect: (request: LoggedRequest) => void;
  readonly onOpen: (request: LoggedRequest) => void;
  readonly onClose: () => void;
}

/** Height of a row in pixels. */
const rowHeight = 28;

/** Rows that are rendered beyond each edge of the visible area. */
const margin = 8;

/**
 * The list of requests. Renders only visible rows. While it is scrolled down, new requests do not
 * move the visible ones.
 */
export function RequestList({ rows, selected, onSelect, onOpen, onClose }: RequestListProps): Html {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  /** Index of the first visible row. */
  const anchor = useRef<number>(undefined);
  const placeOf = (wanted: number | undefined): number =>
    rows.findIndex(({ number }) => number === wanted);

  const follow = (): void => {
    const { scrollTop } = list.current ?? { scrollTop: 0 };
    anchor.current = scrollTop < 1 ? undefined : rows[Math.floor(scrollTop / rowHeight)]?.number;
    setTop(scrollTop);
  };
  useLayoutEffect(() => {
    const element = list.current;
    const place = placeOf(anchor.current);
    if (element === null) return;
    if (place >= 0) element.scrollTop = place * rowHeight + (element.scrollTop % rowHeight);
    setTop(element.scrollTop);
  }, [rows]);

  const place = placeOf(selected);
  const select = (wanted: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, wanted));
    const [element, request] = [list.current, rows[next]];
    if (element === null || request === undefined) return;
    const last = (next + 2) * rowHeight - element.clientHeight;
    element.scrollTop = Math.min(next * rowHeight, Math.max(element.scrollTop, last));
    follow();
    onSelect(request);
  };
  const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 2);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => select(place + 1),
    ArrowUp: () => select(place - 1),
    PageDown: () => select(place + page),
    PageUp: () => select(place - page),
    Home: () => select(0),
    End: () => select(rows.length - 1),
    Enter: () => {
      const request = rows[Math.max(0, place)];
      if (request !== undefined) onOpen(request);
    },
    Escape: onClose,
  };
  const move = (event: KeyboardEvent): void => {
    const action = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  // The list is never higher than the screen. Row elements are reused, which is cheaper than
  // creating new ones.
  const drawn = Math.ceil(screen.height / rowHeight) + 2 * margin;
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), rows.length) - margin);
  const shown = rows.slice(first, first + drawn);
  const isDated = shown.some(({ exchange }) => renderLocalTime(exchange.at).includes(' '));
  const isSelectedDrawn = shown.some(({ number }) => number === selected);
  return html`<div
    ref=${list}
    class="list-of-requests ${isDated ? 'dated' : ''}"
    role="grid"
    aria-label="Requests"
    aria-rowcount=${rows.length + 1}
    aria-activedescendant=${isSelectedDrawn ? `request-${selected}` : undefined}
    tabindex="0"
    onScroll=${follow}
    onKeyDown=${move}
  >
    <div role="rowgroup" class="heads">
      <div role="row" class="request" aria-rowindex="1">
        ${columns.map((name) => html`<span role="columnheader" key=${name}>${name}</span>`)}
      </div>
    </div>
    <div role="rowgroup" class="rows" style=${`height: ${rows.length * rowHeight}px`}>
      ${shown.map(
        (request, offset) => html`<${RequestRow}
          key=${(first + offset) % drawn}
          request=${request}
          place=${first + offset}
          isSelected=${request.number === selected}
          onOpen=${onOpen}
        />`,
      )}
    </div>
  </div>`;
}

interface RequestRowProps {
  readonly request: LoggedRequest;
  /** Index of the row. */
  readonly place: number;
  readonly isSelected: boolean;
  readonly onOpen: (request: LoggedRequest) => void;
}

/** Columns of the list, in order. */
const columns = ['Time', 'Method', 'Target', 'Status', 'Operation', 'Sandbox', 'Plan', 'ms'];

/** A request in one line. Long targets are truncated. */
function RequestRow({ request, place, isSelected, onOpen }: RequestRowProps): Html {
  const { number, exchange } = request;
  const { at, method, target, status, operation, sandbox, plan, fault, stub, hints, milliseconds } =
    exchange;
  return html`<div
    role="row"
    id=${`request-${number}`}
    aria-rowindex=${place + 2}
    aria-selected=${isSelected}
    class=${`request s${statusClass(exchange)}`}
    style=${`transform: translateY(${place * rowHeight}px)`}
    onMouseDown=${({ button }: MouseEvent) => button === 0 && onOpen(request)}
  >
    <span role="gridcell">${renderLocalTime(at)}</span>
    <span role="gridcell">${showLine(method)}</span>
    <span role="gridcell" class="target">${showLine(target.slice(0, 300))}</span>
    <span role="gridcell" class="status">${status}${fault !== undefined && html` <abbr title="A fault was applied">fault</abbr>`}${stub !== undefined && html` <abbr title="A stub answered">stub</abbr>`}${hints !== undefined && html` <abbr title="With a hint">hint</abbr>`}</span>
    <span role="gridcell">${operation ?? ''}</span>
    <span role="gridcell">${sandbox}</span>
    <span role="gridcell">${plan ?? ''}</span>
    <span role="gridcell" class="number">${milliseconds.toFixed(1)}</span>
  </div>`;
}
