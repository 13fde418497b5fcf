import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../../view/element.ts';
import type { LoggedRequest } from '../../session/request-log.ts';
import { renderTime } from './time.ts';
import { RequestRow, columns, rowId } from './request-row.ts';
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
 * The requests, of which only those in sight are drawn. What comes while it is scrolled down moves
 * nothing that is seen.
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
