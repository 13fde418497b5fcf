import { hash } from 'node:crypto';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Html, html } from '../element.ts';
import { style as shared } from '../style.ts';
import { tokens } from '../tokens.ts';
import { showText } from '../visible.ts';
import { copyScript } from './copy-script.ts';
import { documentStyle } from './style.ts';

/** A page that stands alone: nothing from the network, and no script but the one that copies. */
export interface StaticDocument {
  readonly title: string;
  /** Class of its body. */
  readonly kind: string;
  readonly content: Html;
  /** Style besides that of every page. */
  readonly style: string;
}

/** The text of an HTML file. */
export function renderDocument({ title, kind, content, style }: StaticDocument): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', copyScript, 'base64')}'`;
  return `<!doctype html>\n${renderMarkup(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content=${policy} />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>${title}</title>
      <style dangerouslySetInnerHTML=${{ __html: tokens + shared + documentStyle + style }} />
    </head>
    <body class=${kind}>
      ${content}
      <p class="visually-hidden" role="status"></p>
      <script dangerouslySetInnerHTML=${{ __html: copyScript }} />
    </body>
  </html>`)}\n`;
}

/** An element as markup. What cannot be seen in attributes is shown too, as it is in texts. */
export function renderMarkup(element: VNode): string {
  return showText(renderToString(element));
}
