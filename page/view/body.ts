import { CopyButton } from './copy-button.ts';
import { countOf } from './count.ts';
import { type Html, html } from './element.ts';
import { cutAround, cutMiddle } from './json/excerpt.ts';
import {
  findJsonFault,
  type JsonLine,
  type JsonPart,
  type MarkedJson,
  markJson,
} from './json/line.ts';

export interface BodyProps {
  readonly text: string;
  /**
   * JSON pointers to what is marked. Where nothing is there, the place is marked at which it is
   * missing; the empty pointer marks the place from which a text is not JSON.
   */
  readonly marks?: readonly string[] | undefined;
  /** About how many lines are shown, those around a mark first. Default 24. */
  readonly most?: number | undefined;
  /** What it is, for the name of the copy button: `the request body`. Default: the body. */
  readonly what?: string | undefined;
}

/** Most characters of a text that is not JSON. */
const mostCharacters = 1600;

/** Longer bodies have no copy button. */
const mostCopied = 100_000;

/** A body: JSON indented and highlighted, with every number as it was written; other text as it is. */
export function Body({ text, marks = [], most = 24, what = 'the body' }: BodyProps): Html {
  if (text === '') return html`<p class="no-body">no body</p>`;
  const json = markJson(text, marks);
  const copy = text.length > mostCopied ? null : CopyButton({ text, what });
  // The button is beside the first line: a bracket, where there are more.
  const isTall = json !== undefined && json.lines.length > 1;
  return html`<div class=${isTall ? 'code tall' : 'code'}>
    <pre><code>${json === undefined ? renderText(text, marks.includes('')) : renderJson(json, most)}</code></pre>
    ${copy}
  </div>`;
}

function renderText(text: string, isMarked: boolean): Html {
  const fault = isMarked ? findJsonFault(text) : undefined;
  if (fault === undefined) return renderCut(text, mostCharacters, 0);
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

function renderJson({ lines, marked }: MarkedJson, most: number): Html {
  const isMarked = ({ at, kind }: JsonPart): boolean =>
    kind === 'missing' || (at !== undefined && marked.has(at));
  const pieces = cutAround(lines, ({ parts }) => parts.some(isMarked), most);
  return pieces.map((piece, index) => [
    index === 0 ? null : '\n',
    piece.kind === 'left-out'
      ? LeftOut(piece.count, 'line')
      : piece.items.map((line, at) => [at === 0 ? null : '\n', renderLine(line, isMarked)]),
  ]);
}

function renderLine({ depth, parts }: JsonLine, isMarked: (part: JsonPart) => boolean): Html {
  return [
    '  '.repeat(depth),
    parts.map((part) =>
      isMarked(part) ? html`<mark>${renderPart(part)}</mark>` : renderPart(part),
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
