import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../test/report/sample-report.ts';
import { countColumns, ansiPaint, plainPaint } from './layout.ts';
import { renderBriefText, renderText } from './text.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

const report = sampleReport(contract);
const text = renderText(report, contract);

describe('a report for a terminal', () => {
  test('shows a failure, and how to reproduce it', () => {
    const failure = text.slice(text.indexOf('FAILED  Broken: getPet returns `name`')).split('\n');
    expect(failure.slice(0, 7)).toEqual([
      'FAILED  Broken: getPet returns `name` as it was added or listed.',
      '  breaks     getPet/state.read.name',
      '  in         openapi.yaml #/paths/~1pets~1{petId}/get, from "Endpoints / getPet"',
      expect.stringMatching(/^ {2}sent {7}POST \/pets \{"name":"it's <\/code>.*…$/),
      '  then       GET /pets/31',
      '  expected   `name` "Rex"',
      expect.stringMatching(/^ {2}received {3}`name` "Max" <\/code>/),
    ]);
    expect(failure.slice(7, 10)).toEqual([
      expect.stringMatching(
        /^ {2}curl {7}printf '.*' \| curl -i -X POST 'http:\/\/127\.0\.0\.1:4010\/v1\/pets' /,
      ),
      expect.stringMatching(/^ {13}curl -i 'http:\/\/127\.0\.0\.1:4010\/v1\/pets\/31' /),
      "  replay     npx petstore-contract conform --base-url 'http://127.0.0.1:4010/v1' --replay r1-abc_DEF",
    ]);
  });

  test.for([60, 80, 100, 160])(
    'is at most %d columns wide, except for commands to copy',
    (width) => {
      const lines = renderText(report, contract, { width, paint: plainPaint }).split('\n');
      const commands = /^ {2}(curl|replay) |^ {13}curl /;
      const ours = lines.filter((line) => !commands.test(line) && !/^ {2}replay |^ {4}/.test(line));
      expect(
        ours.filter((line) => countColumns(line) > width && !line.startsWith('FAILED')),
      ).toEqual([]);
    },
  );

  test('contains no cursor movement and no colour', () => {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u);
    expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
  });

  test('has colours on request, and the same words', () => {
    const coloured = renderText(report, contract, { width: 100, paint: ansiPaint });
    expect(coloured).toContain('\u001B[1m\u001B[31mFAILED\u001B[39m\u001B[22m');
    expect(stripVTControlCharacters(coloured)).toBe(text);
  });

  test('names waivers, open questions, what was not tested, what was left behind, and the verdict', () => {
    for (const part of [
      'createPet/status.201\n    in force: the requirement failed. agreed',
      'Open questions',
      'because the rate limit was not exhausted',
      'Left behind\n  2 items, tagged pcps000001',
      'fails 2 requirements of Petstore 1.0.0',
      '5 requests of 60 in 31.50 s, 30.96 s of it waiting, seed 1.',
      'All requests of the plan were sent.',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('begins with one line per cause, each explained below', () => {
    const [title, ...lines] = text.slice(0, text.indexOf('\n\n')).split('\n');
    const explained = text.match(/^FAILED  /gm) ?? [];
    expect(title).toBe(`${lines.length} causes of failures, details below`);
    expect(lines).toHaveLength(explained.length);
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ {2}Broken: getPet returns `name` as it was added or listed\. Expected `name` "Rex", rec/,
      ),
    );
  });

  test('in brief has only failures, waivers and the verdict', () => {
    const brief = renderBriefText(report, contract);
    expect(brief).toContain(
      'FAILED  Broken: listPets returns 401 for a request with an invalid key.',
    );
    expect(text).toContain('Open questions');
    expect(brief).not.toContain('Open questions');
    expect(text.endsWith(brief.slice(brief.lastIndexOf('\n\n')))).toBe(true);
  });
});
