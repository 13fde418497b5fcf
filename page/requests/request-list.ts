import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../view/element.ts';
import { showLine } from '../view/visible.ts';
import type { LoggedRequest } from '../session/request-log.ts';
import { statusClass } from './filter.ts';
import { renderTime } from './time.ts';
import { mostDrawn, placeOf, rowAt, rowHeight, scrollToShow, windowOf } from './window.ts';

export interface RequestListProps {
  /** Oldest first; the newest is shown first. */
  readonly rows: readonly LoggedRequest[];
  /** Number of the selected row. */
  readonly selected: number | undefined;
  readonly onSelect: (request: LoggedRequest) => void;
  readonly onOpen: (request: LoggedRequest) => void;
  readonly onClose: () => void;
}

/**
 * The requests, of which only those in sight are drawn. New ones do not
 * move what is seen while it is scrolled down.
 */
export function RequestList({ rows, selected, onSelect, onOpen, onClose }: RequestListProps): Html {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  /** The first row in sight, and how much of it is not seen. */
  const anchor = useRef<{ readonly number: number; readonly hidden: number } | undefined>(
    undefined,
  );

  const follow = (): void => {
    const { scrollTop } = list.current ?? { scrollTop: 0 };
    const first = rowAt(rows, Math.floor(scrollTop / rowHeight));
    anchor.current =
      scrollTop < 1 || first === undefined
        ? undefined
        : { number: first.number, hidden: scrollTop % rowHeight };
    setTop(scrollTop);
  };
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const place = placeOf(rows, anchor.current?.number);
    if (place >= 0) element.scrollTop = place * rowHeight + (anchor.current?.hidden ?? 0);
    if (element.scrollTop !== top) setTop(element.scrollTop);
  }, [rows]);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const selectPlace = (place: number): void => {
    const request = rowAt(rows, Math.max(0, Math.min(rows.length - 1, place)));
    const element = list.current;
    if (request === undefined || element === null) return;
    const bodyHeight = element.clientHeight - rowHeight;
    element.scrollTop = scrollToShow(placeOf(rows, request.number), element.scrollTop, bodyHeight);
    follow();
    onSelect(request);
  };
  const place = placeOf(rows, selected);
  const page = Math.max(1, Math.floor(height / rowHeight) - 2);
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => selectPlace(place + 1),
    ArrowUp: () => selectPlace(place - 1),
    PageDown: () => selectPlace(place + page),
    PageUp: () => selectPlace(place - page),
    Home: () => selectPlace(0),
    End: () => selectPlace(rows.length - 1),
    Enter: () => {
      const request = rowAt(rows, Math.max(0, place));
      if (request !== undefined) onOpen(request);
    },
    Escape: onClose,
  };
  const { first, end } = windowOf(top, height, rows.length);
  // Elements are used again for other rows: it is cheaper than to make new ones.
  const drawn = mostDrawn(height);
  const shown = rows.slice(rows.length - end, rows.length - first).toReversed();
  const isDated = shown.some(({ exchange }) => renderTime(exchange.at).includes(' '));
  const isDrawn = place >= first && place < end;
  return html`<div
    ref=${list}
    class="list-of-requests ${isDated ? 'dated' : ''}"
    role="grid"
    aria-label="Requests"
    aria-rowcount=${rows.length + 1}
    aria-activedescendant=${isDrawn && selected !== undefined ? rowId(selected) : undefined}
    tabindex="0"
    onScroll=${follow}
    onKeyDown=${(event: KeyboardEvent) => {
      const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
      if (move === undefined) return;
      event.preventDefault();
      move();
    }}
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
  /** Among the rows, the newest at 0. */
  readonly place: number;
  readonly isSelected: boolean;
  readonly onOpen: (request: LoggedRequest) => void;
}

/** Columns of the list, in their order. */
const columns = ['Time', 'Method', 'Target', 'Status', 'Operation', 'Sandbox', 'Plan', 'ms'];

/** Longer targets are cut in the list. */
const mostShown = 300;

/** A request in one line. */
function RequestRow({ request, place, isSelected, onOpen }: RequestRowProps): Html {
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
    <span role="gridcell" class="status">${status}${fault !== undefined && html` <abbr title="A fault was applied">fault</abbr>`}${stub !== undefined && html` <abbr title="A stub answered">stub</abbr>`}${hints !== undefined && html` <abbr title="With a hint">hint</abbr>`}</span>
    <span role="gridcell">${operation ?? ''}</span>
    <span role="gridcell">${sandbox}</span>
    <span role="gridcell">${plan ?? ''}</span>
    <span role="gridcell" class="number">${milliseconds.toFixed(1)}</span>
  </div>`;
}

/** Id of the element of a row. */
function rowId(number: number): string {
  return `request-${number}`;
}
