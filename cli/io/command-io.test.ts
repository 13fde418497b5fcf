import { expect, test } from 'vitest';
import { joinShown, show, showJson, showLine } from '../../page/view/visible.ts';
import { type TextSink, escapeWorkflowCommands } from './command-io.ts';

function collect(): TextSink & { readonly text: () => string } {
  let all = '';
  return { write: (text) => (all += text), text: () => all };
}

test.for([
  ['::error::pwned', String.raw`:\u{3a}error::pwned`],
  ['  ::set-output name=a::b', String.raw`  :\u{3a}set-output name=a::b`],
  ['\u00A0::stop-commands::x', `\u00A0${String.raw`:\u{3a}stop-commands::x`}`],
  ['::Error file=a.js,line=1::x', String.raw`:\u{3a}Error file=a.js,line=1::x`],
  ['##[error]x and ##vso[task.x]y', String.raw`#\u{23}[error]x and #\u{23}vso[task.x]y`],
  ['##teamcity[x]', String.raw`#\u{23}teamcity[x]`],
  ['::1', '::1'],
  ['http://[::1]:80/ and a::b::c', 'http://[::1]:80/ and a::b::c'],
  ['# a ## b ### c', '# a ## b ### c'],
])('the foreign text %j is printed as %j', ([foreign = '', printed]) => {
  const sink = collect();
  escapeWorkflowCommands(sink).write(show`${showLine(foreign)}\n`);
  expect(sink.text()).toBe(`${printed}\n`);
});

test('commands on later lines are wrapped too, with and without colours', () => {
  const sink = collect();
  const lines = ['a', '::error::b', ' ::x::', '::c'].map(showLine);
  escapeWorkflowCommands(sink).write(
    show`${joinShown(lines, '\n')}\n\u001B[1m::error::d\u001B[22m`,
  );
  expect(sink.text()).toBe(
    `a\n${String.raw`:\u{3a}error::b`}\n${String.raw` :\u{3a}x::`}\n::c\n\u001B[1m${String.raw`:\u{3a}error::d`}\u001B[22m`,
  );
});

test('JSON keeps its value, with control characters escaped', () => {
  const value = { '##vso[x]\u009B': ['\u202E\u2028\u{E000}\uD800\u{E0001}', '::error::\n'] };
  const text = showJson(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toMatch(/^[\n\x20-\x7E]*$/);
  expect(text).not.toContain('##vso[');
});

test('a string that did not pass showLine is not printable', () => {
  const foreign = String(Math.random());
  const sink = collect();
  // @ts-expect-error a foreign text
  sink.write(foreign);
  // @ts-expect-error a foreign text in a template of the program
  sink.write(`a ${showLine(foreign)}`);
  // @ts-expect-error a foreign text in a template
  sink.write(show`a ${foreign}`);
  // @ts-expect-error a foreign text in a template within one
  sink.write(show`a ${`b ${foreign}`}`);
  // @ts-expect-error joined by a foreign text
  sink.write(joinShown([show`a`], foreign));
  // @ts-expect-error an assertion is none of the ways
  sink.write(foreign.trim());
  expect(sink.text()).toContain(foreign);
});
