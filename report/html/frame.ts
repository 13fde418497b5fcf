import { anchorOf, html, nothing, type Html } from './element.ts';
import { style } from './style.ts';

type Content = Html | string | number;

export interface Section {
  readonly title: string;
  /** What the section is about, in a sentence; empty for none. */
  readonly lead: string;
  /** Empty where there is nothing to say: the section is left out. */
  readonly content: readonly Html[];
}

/** A page for people: no script, nothing from the network, light and dark, for screens and paper. */
export interface Page {
  readonly title: string;
  readonly kind: string;
  readonly header: Html;
  readonly sections: readonly Section[];
  /** Style besides that of every page. */
  readonly style: string;
}

export function renderPage({ title, kind, header, sections, style: own }: Page): string {
  const shown = sections.filter(({ content }) => content.length > 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${{ markup: style + own }}
        </style>
      </head>
      <body class="${kind}">
        ${header}
        <main id="content">${shown.map(renderSection)}</main>
      </body>
    </html> `.markup;
}

function renderSection({ title, lead, content }: Section): Html {
  return html`<section aria-labelledby="${sectionId(title)}">
    <h2 id="${sectionId(title)}">${title}</h2>
    ${lead === '' ? nothing : html`<p class="lead">${lead}</p>`} ${content}
  </section> `;
}

export function renderContents(sections: readonly Section[]): Html {
  const links = sections
    .filter(({ content }) => content.length > 0)
    .map(({ title }) => html`<li><a href="#${sectionId(title)}">${title}</a></li>`);
  return html`<nav aria-label="Contents">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

function sectionId(title: string): string {
  return anchorOf(title.toLowerCase().replaceAll(/[^a-z]+/g, '-'));
}

/** Numbers side by side, each with the kind of verdict that it counts. */
export function renderTiles(tiles: readonly (readonly [kind: string, count: number])[]): Html {
  return html`<ul class="tally">
    ${tiles.map(([kind, count]) => html`<li class="${count === 0 ? 'none' : kind}"><strong>${count}</strong> ${kind.replace('-', ' ')}</li>`)}
  </ul>`;
}

export function renderFacts(
  kind: string,
  facts: readonly (readonly [name: string, value: Content])[],
): Html {
  return html`<dl class="${kind}">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export interface Table {
  readonly kind: string;
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly kind?: string;
  /** Its head; undefined where the head of a row before spans it. */
  readonly head: Content | undefined;
  /** Rows that the head is for; 1 unless it is said. */
  readonly span?: number;
  readonly cells: readonly Content[];
}

/** Roles are written out, since on narrow screens the style turns rows into blocks. */
export function renderTable({ kind, label, columns, rows }: Table): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
    <table class="${kind}" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(renderRow)}
      </tbody>
    </table>
  </div>`;
}

function renderRow({ kind = '', head, span = 1, cells }: Row): Html {
  return html`<tr role="row" class="${kind}">
    ${head === undefined ? nothing : html`<th scope="row" role="rowheader" rowspan="${span}">${head}</th>`}
    ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
  </tr> `;
}
