import { renderReportFiles } from '../test/report/report-files.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { petstore as contract } from '../test/contract/petstore.ts';
import { listReportFiles, renderHar, renderJsonReport } from './index.ts';
import { renderPieces } from './pieces.ts';
import { hostileText, rawControl } from '../test/page/view/hostile.ts';
import { sampleReport } from '../test/report/sample-report.ts';

test('the pieces add up to the output of JSON.stringify', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (list, rest) => {
        const [flat, deep] = [
          (entries: unknown) => ({ rest, list: entries }),
          (entries: unknown) => ({ log: { rest, list: entries } }),
        ];
        const whole = (document: object): string => `${JSON.stringify(document, undefined, 2)}\n`;
        // What a CI server would read as a command is escaped.
        fc.pre(!/##\w*\[/.test(whole(flat(list))));
        expect([...renderPieces(flat([]), 1, list)].join('')).toBe(whole(flat(list)));
        expect([...renderPieces(deep([]), 2, list)].join('')).toBe(whole(deep(list)));
      },
    ),
  );
});

test('JSON files contain no terminal control characters, and read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(hostileText), (texts) => {
      const text = [...renderPieces({ texts, [texts.join('')]: 1, list: [] }, 1, texts)].join('');
      expect(text).not.toMatch(rawControl);
      expect(text).not.toMatch(/##\w*\[/);
      expect(JSON.parse(text)).toEqual({ texts, [texts.join('')]: 1, list: texts });
    }),
  );
  const long = `\u009B${'a'.repeat(9_998)}\u{E0001}\u202E`.repeat(20);
  const text = [...renderPieces({ list: [] }, 1, [{ long }])].join('');
  expect(rawControl.test(text)).toBe(false);
  expect(JSON.parse(text).list[0].long === long).toBe(true);
});

test('a log longer than the maximum string length is written', () => {
  const report = sampleReport(contract);
  const [exchange] = report.exchanges;
  // Half a million characters each: the longest text of V8 has some 537 million.
  const long = exchange && {
    ...exchange,
    request: { ...exchange.request, body: 'x'.repeat(500_000) },
  };
  const exchanges = Array.from({ length: 1200 }, () => long ?? exchange).flatMap(
    (each) => each ?? [],
  );
  const files = listReportFiles({ ...report, verdicts: [], exchanges }, contract);
  for (const { name, pieces } of files.filter((file) => /^report\.json$|\.har$/.test(file.name))) {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    expect([name, length > 2 ** 29]).toEqual([name, true]);
  }
}, 120_000);

test('the files equal the output of the functions', () => {
  const report = sampleReport(contract);
  const texts = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  expect(texts.get('report.json')).toBe(renderJsonReport(report, contract));
  expect(texts.get('exchanges.har')).toBe(renderHar(report, contract));
});
