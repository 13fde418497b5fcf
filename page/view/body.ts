import { CopyButton } from './code.ts';
import { countOf } from './count.ts';
import { type Html, html } from './element.ts';
import { findJsonFault, type JsonLine, type JsonPart, layOutJson } from './json.ts';

export interface BodyProps {
  readonly text: string;
  /**
   * JSON pointers to marked values. If nothing is at a pointer, the position is marked where it is missing;
   * the empty pointer marks the position from which a text is not JSON.
   */
  readonly marks?: readonly string[] | undefined;
  /** About how many lines are shown, preferably around marks. Default 24. */
  readonly most?: number | undefined;
  /** Description for the name of the copy button: `the request body`. Default: the body. */
  readonly what?: string | undefined;
}

/** Most characters of a text that is not JSON. */
const maxCharacters = 1600;

/** Longer bodies have no copy button. */
const maxCopied = 100_000;

/** A body: JSON indented and highlighted, with numbers unchanged; other text unchanged. */
export function Body({ text, marks = [], most = 24, what = 'the body' }: BodyProps): Html {
  if (text === '') return html`<p class="no-body">no body</p>`;
  const lines = layOutJson(text, marks);
  const copy = text.length > maxCopied ? null : CopyButton({ text, what });
  // The button is next to the first line: a bracket, if there are several.
  const isTall = lines !== undefined && lines.length > 1;
  return html`<div class=${isTall ? 'code tall' : 'code'}>
    <pre><code>${lines === undefined ? renderText(text, marks.includes('')) : renderJson(lines, most)}</code></pre>
    ${copy}
  </div>`;
}

function renderText(text: string, isMarked: boolean): Html {
  const fault = isMarked ? findJsonFault(text) : undefined;
  if (fault === undefined) return renderCut(text, maxCharacters, 0);
  const [word = ''] = /^.[\w.+-]*/su.exec(text.slice(fault)) ?? [];
  return [
    renderCut(text.slice(0, fault), 200, 400),
    html`<mark>${word === '' ? 'the end is missing' : word}</mark>`,
    renderCut(text.slice(fault + word.length), 600, 0),
  ];
}

function renderCut(text: string, begin: number, end: number): Html {
  const [first, leftOut, last] = cutMiddle(text, begin, end);
  return [first, leftOut === 0 ? null : LeftOut(leftOut, 'character'), last];
}

function renderJson(lines: readonly JsonLine[], most: number): Html {
  const pieces = cutAround(lines, ({ parts }) => parts.some(({ isMarked }) => isMarked), most);
  return pieces.map((piece, index) => [
    index === 0 ? null : '\n',
    typeof piece === 'number'
      ? LeftOut(piece, 'line')
      : piece.map((line, at) => [at === 0 ? null : '\n', renderLine(line)]),
  ]);
}

function renderLine({ depth, parts }: JsonLine): Html {
  return [
    '  '.repeat(depth),
    parts.map((part) =>
      part.isMarked === true ? html`<mark>${renderPart(part)}</mark>` : renderPart(part),
    ),
  ];
}

function renderPart({ kind, text }: JsonPart): Html {
  if (kind === 'punctuation') return text;
  return html`<span class=${`json-${kind}`}>${renderCut(text, 160, 40)}</span>`;
}

function LeftOut(count: number, noun: 'line' | 'character'): Html {
  return html`<em>${`… ${countOf(count, noun)} left out …`}</em>`;
}

/**
 * A list cut to about this many items: those around the marks, the first and the last; else its beginning.
 * A number is how many items were omitted in its place.
 */
function cutAround<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
  most: number,
): readonly (readonly Item[] | number)[] {
  if (items.length <= most) return [items];
  const wanted = items.flatMap((item, index) => (isWanted(item) ? [index] : []));
  const centers = wanted.slice(0, Math.max(1, Math.floor(most / 5)));
  const reach = Math.max(2, Math.floor(most / 2 / Math.max(1, centers.length)));
  const last = items.length - 1;
  const isKept = (index: number): boolean =>
    centers.length === 0
      ? index < most
      : index === 0 ||
        index === last ||
        centers.some((center) => Math.abs(center - index) <= reach);
  const pieces: (Item[] | number)[] = [];
  for (const [index, item] of items.entries()) {
    const piece = pieces.at(-1);
    // A single line takes no more room than a note about it.
    const isAlone = isKept(index - 1) && (index === last || isKept(index + 1));
    if (isKept(index) || isAlone) {
      if (typeof piece === 'object') piece.push(item);
      else pieces.push([item]);
    } else if (typeof piece === 'number') pieces.splice(-1, 1, piece + 1);
    else pieces.push(1);
  }
  return pieces;
}

/** A long text without its middle; counts are UTF-16 code units, and no character is split. */
function cutMiddle(
  text: string,
  begin: number,
  end: number,
): readonly [begin: string, leftOut: number, end: string] {
  if (text.length <= begin + end + 40) return [text, 0, ''];
  const first = text.slice(0, begin).replace(/[\uD800-\uDBFF]$/, '');
  const last = end === 0 ? '' : text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '');
  return [first, text.length - first.length - last.length, last];
}
