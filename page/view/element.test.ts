import { describe, expect, test } from 'vitest';
import { hostile } from '../../test/report/sample-report.ts';
import { anchorOf } from './section.ts';
import { html, renderProse } from './element.ts';
import { renderMarkup } from './static/document.ts';

describe('an element', () => {
  test('escapes strings and keeps elements', () => {
    expect(renderMarkup(html`<p title=${'a"b'}>${['<', html`<b>${1}</b>`]}</p>`)).toBe(
      '<p title="a&quot;b">&lt;<b>1</b></p>',
    );
    expect(renderMarkup(html`<p title=${hostile}>${hostile}</p>`)).not.toMatch(
      /<(?!\/?p\b)|"1"|[\p{Cs}\p{Cf}]/u,
    );
  });

  test('renders text between paired backticks as code', () => {
    expect(renderMarkup(html`<p>${renderProse('the `a<b` of `c`')}</p>`)).toBe(
      '<p>the <code>a&lt;b</code> of <code>c</code></p>',
    );
    expect(renderMarkup(html`<p>${renderProse('a ` b')}</p>`)).toBe('<p>a ` b</p>');
  });

  test('has different anchors for different texts', () => {
    const texts = ['a b', 'a_b', 'a_20_b', 'a/b', 'a{b}'];
    expect(new Set(texts.map(anchorOf)).size).toBe(texts.length);
  });
});
