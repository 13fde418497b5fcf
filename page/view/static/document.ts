import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Html, html } from '../element.ts';
import { showText } from '../visible.ts';
import { copyScript } from './copy-script.ts';

/** A self-contained page: no network access, and no script except the copy script. */
interface StaticDocument {
  readonly title: string;
  /** Class of its body. */
  readonly kind: string;
  readonly content: Html;
  /** Style in addition to the shared style. */
  readonly style: string;
}

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
      <style dangerouslySetInnerHTML=${{ __html: sharedStyles() + style }} />
    </head>
    <body class=${kind}>
      ${content}
      <p class="visually-hidden" role="status"></p>
      <script dangerouslySetInnerHTML=${{ __html: copyScript }} />
    </body>
  </html>`)}\n`;
}

/** Renders an element as markup. Escapes invisible characters in attributes too, as in texts. */
export function renderMarkup(element: VNode): string {
  return showText(renderToString(element));
}

/** The shared style sheets of this package: colours, all pages, and documents. */
function sharedStyles(): string {
  const root = dirname(createRequire(import.meta.url).resolve('petstore-contract/package.json'));
  return ['tokens.css', 'style.css', 'static/document.css']
    .map((name) => readFileSync(join(root, 'page/view', name), 'utf8'))
    .join('');
}
