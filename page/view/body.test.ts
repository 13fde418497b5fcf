import { describe, expect, test } from 'vitest';
import { Body, type BodyProps } from './body.ts';
import { html } from './element.ts';
import { renderMarkup } from './static/document.ts';

/** The shown text of a body, with marks in brackets. */
function show(props: BodyProps): string {
  const markup = renderMarkup(html`<div>${Body(props)}</div>`);
  const code = /<code>(.*)<\/code>/s.exec(markup)?.[1] ?? markup;
  return code
    .replaceAll('<mark>', '[')
    .replaceAll('</mark>', ']')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<');
}

describe('a body', () => {
  test('is indented, with every number and escape unchanged', () => {
    const text =
      '{"id":9223372036854775807,"n":-1.50E+2,"t":"\\u0041\\n<b>","a":[],"o":{"x":[true,null]}}';
    expect(show({ text })).toBe(
      [
        '{',
        '  "id": 9223372036854775807,',
        '  "n": -1.50E+2,',
        String.raw`  "t": "\u0041\n<b>",`,
        '  "a": [],',
        '  "o": {',
        '    "x": [',
        '      true,',
        '      null',
        '    ]',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  test.for([
    '{"a":1,}',
    '{"a" 1}',
    '[1 2]',
    '[1]]',
    '[1',
    '01',
    "{'a':1}",
    '{"a":"\u0001"}',
    'NaN',
    '{1:2}',
    '[,1]',
    '"a" // b',
    'plain\n  text',
    '['.repeat(1500),
  ])('that is not JSON or is nested too deeply stays unchanged: %j', (text) => {
    expect(show({ text })).toBe(text.replace('\u0001', String.raw`\u{1}`));
  });

  test.for([
    ['[1,2,]', '[1,2,[]]'],
    ["{'a':1}", "{['a]':1}"],
    ['{"a":NaN}', '{"a":[NaN]}'],
    ['[1', '[1[the end is missing]'],
    ['"a" // b', '"a" [/]/ b'],
    ['<p>no</p>', '[<p]>no</p>'],
    ['[1]', '[[]\n  1\n]'],
  ])('%j is marked where it stops being JSON', ([text = '', shown]) => {
    expect(show({ text, marks: [''] })).toBe(shown);
  });

  test('marks values by pointer, escaped names and whole items too', () => {
    const text = '{"a/b":{"~":[1,{"c":2}]},"a":"x"}';
    const marks = ['/a~1b/~0/0', '/a~1b/~0/1', '/a'];
    expect(show({ text, marks }).split('\n')).toEqual([
      '{',
      '  "a/b": {',
      '    "~": [',
      '      [1],',
      '      [{]',
      '        "c": 2',
      '      }',
      '    ]',
      '  },',
      '  "a": ["x"]',
      '}',
    ]);
  });

  test('marks the position of a missing member', () => {
    expect(show({ text: '[{"id":1},{}]', marks: ['/1/name', '/0/tag/name'] }).split('\n')).toEqual([
      '[',
      '  {',
      '    ["tag/name" is missing]',
      '    "id": 1',
      '  },',
      '  {',
      '    ["name" is missing]',
      '  }',
      ']',
    ]);
    expect(show({ text: '7', marks: ['/name'] })).toBe('[7]');
    expect(show({ text: '{}', marks: [''] })).toBe('[{}]');
  });

  test('that is long is cut around the marks, and says how much is omitted', () => {
    const text = JSON.stringify(Array.from({ length: 200 }, (_, index) => index));
    const lines = show({ text, marks: ['/100'], most: 8 }).split('\n');
    expect(lines).toEqual([
      '[',
      '… 96 lines left out …',
      '  96,',
      '  97,',
      '  98,',
      '  99,',
      '  [100],',
      '  101,',
      '  102,',
      '  103,',
      '  104,',
      '… 95 lines left out …',
      ']',
    ]);
    expect(show({ text, most: 3 })).toBe('[\n  0,\n  1,\n… 199 lines left out …');
  });

  test('has long strings cut, but never within a character', () => {
    const shown = show({ text: JSON.stringify(`a${'😀'.repeat(300)}`) });
    expect(shown).toMatch(/^"a(😀)+… \d+ characters left out …(😀)+"$/u);
    expect(show({ text: 'y'.repeat(5000) })).toMatch(/^y{1600}… 3400 characters left out …$/);
  });

  test('has a button that copies the original, even the parts not shown', () => {
    const markup = renderMarkup(html`<div>${Body({ text: '{"a":"\u202E"}', what: 'it' })}</div>`);
    expect(markup).toContain('data-copy="{&quot;a&quot;:&quot;\\u{202e}&quot;}"');
    expect(markup).toContain('aria-label="Copy it"');
    expect(renderMarkup(html`<div>${Body({ text: '' })}</div>`)).toContain('no body');
  });
});
