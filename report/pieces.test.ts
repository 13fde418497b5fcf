import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { petstore as contract } from '../contract/testing/petstore.ts';
import { listReportFiles, renderHar, renderJsonReport, renderReportFiles } from './index.ts';
import { renderPieces } from './pieces.ts';
import { sampleReport } from './testing/sample-report.ts';

test('pieces are the text that JSON.stringify makes', () => {
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
        expect([...renderPieces(flat([]), 1, list)].join('')).toBe(whole(flat(list)));
        expect([...renderPieces(deep([]), 2, list)].join('')).toBe(whole(deep(list)));
      },
    ),
  );
});

test('a log that is longer than a text can be is written all the same', () => {
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

test('the files are those of the functions', () => {
  const report = sampleReport(contract);
  const texts = new Map(renderReportFiles(report, contract).map(({ name, text }) => [name, text]));
  expect(texts.get('report.json')).toBe(renderJsonReport(report, contract));
  expect(texts.get('exchanges.har')).toBe(renderHar(report, contract));
});
