import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  type IProperty,
  integer,
  option,
  property,
  record,
  string,
  uniqueArray,
} from 'fast-check';
import { expect, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { type JournalEntry, createMock } from '../../../mock/index.ts';
import { countColumns, plainPaint } from '../../../report/text/layout.ts';
import { startCommand } from '../../../test/cli/command.ts';
import { renderBanner } from './banner.ts';
import { renderEntry } from './request-log.ts';

/** Texts as documents and clients have them: words, long words, wide and hidden characters. */
const text = string({
  unit: constantFrom('a', 'W', ' ', '-', '/', '本', 'é', '\u0301', '\u001b', '\n', '€', '%', '.'),
  maxLength: 120,
});
const name = string({ unit: constantFrom('a', 'b', 'C', '-', '_', ' ', '語'), maxLength: 60 });
const width = integer({ min: 40, max: 200 });

/** Lines that are copied whole may be wider: addresses, keys, commands and files. */
const isCopied = (line: string): boolean =>
  /^is mocked at http| curl |^ {2}(?:In a browser: http|demo[\w-]*$|(?:\?|X-Key|Auth))/.test(line);

const wide = (shown: string, most: number): readonly string[] =>
  shown.split('\n').filter((line) => countColumns(line) > most && !isCopied(line));

test('no line of the log is wider than the terminal, whatever is sent', () => {
  const entries = record({
    at: integer({ min: 0, max: 4e12 }),
    method: constantFrom('GET', 'DELETE', 'OPTIONS', 'A-METHOD-OF-THEIR-OWN'),
    target: text,
    operation: option(name, { nil: undefined }),
    status: integer({ min: 100, max: 599 }),
    sandbox: name,
    plan: option(name, { nil: undefined }),
    remaining: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    milliseconds: integer({ min: 0, max: 10_000_000 }),
    message: text,
    preferred: text,
    effect: text,
    hints: array(record({ kind: constantFrom('path', 'credential'), message: text })),
  });
  const rule: IProperty<[EntryFacts, number]> = property(entries, width, (facts, columns) => {
    const { hints, remaining, message, effect, ...others } = facts;
    const entry: JournalEntry = {
      ...others,
      index: 0,
      isKeyInTarget: false,
      credential: 'valid',
      content: undefined,
      contentLength: undefined,
      refusal: { check: 'content', reason: 'invalid_body', message },
      rate: { limit: 1, remaining, resetAt: 0 },
      retryAfter: undefined,
      fault: { id: 'fault-1', effect, breaks: message },
      stub: { kind: 'applied', id: 'stub-1', name: effect, breaks: [message] },
      event: undefined,
      callbacks: undefined,
      delay: undefined,
      lost: undefined,
      clues: undefined,
    };
    const shown = renderEntry(entry, { width: columns, paint: plainPaint }, hints);
    expect(shown.split('\n').filter((line) => countColumns(line) > columns)).toEqual([]);
    expect(shown).not.toContain('\u001b');
  });
  assert(rule, { numRuns: 2000 });
});

type EntryFacts = Pick<
  JournalEntry,
  'at' | 'method' | 'target' | 'operation' | 'status' | 'sandbox' | 'plan' | 'milliseconds'
> & {
  readonly preferred: string;
  readonly remaining: number;
  readonly message: string;
  readonly effect: string;
  readonly hints: readonly { readonly kind: 'path' | 'credential'; readonly message: string }[];
};

test('no line of a banner is wider than the terminal, whatever a document says', async () => {
  const documents = record({
    title: text,
    version: name,
    source: name,
    plans: uniqueArray(name, { minLength: 1, maxLength: 5 }),
    windows: uniqueArray(name, { minLength: 1, maxLength: 6 }),
    scheme: constantFrom('bearer', 'query', 'header'),
    columns: width,
    choices: array(record({ question: name, choice: name }), { maxLength: 6 }),
    isLimited: boolean(),
  });
  const rule = asyncProperty(documents, async (facts) => {
    const contract = await loadContract({ name: `${facts.source}.json`, text: write(facts) });
    const mock = createMock(contract);
    const choices = Object.fromEntries(facts.choices.map((one) => [one.question, one.choice]));
    const shown = renderBanner(
      mock,
      {
        url: 'http://127.0.0.1:4010',
        certificate: undefined,
        openAddress: facts.isLimited ? '2001:db8::1' : undefined,
      },
      { choices },
      { width: facts.columns, paint: plainPaint },
    );
    expect(wide(shown, facts.columns)).toEqual([]);
    expect(shown).not.toContain('\u001b');
  });
  await assert(rule, { numRuns: 300 });
});

interface DocumentFacts {
  readonly title: string;
  readonly version: string;
  readonly plans: readonly string[];
  readonly windows: readonly string[];
  readonly scheme: 'bearer' | 'query' | 'header';
  readonly isLimited: boolean;
}

const write = ({ title, version, plans, windows, scheme, isLimited }: DocumentFacts): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version },
    paths: { '/a': { get: { responses: { 200: { description: 'A.' } } } } },
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key:
          scheme === 'bearer'
            ? { type: 'http', scheme }
            : { type: 'apiKey', in: scheme, name: 'X-Key' },
      },
    },
    ...(isLimited && {
      'x-rate-limit': {
        windows: windows.map((one, index) => ({ name: one, seconds: 60 * (index + 1) })),
        plans: plans.map((one) => ({
          name: one,
          limits: Object.fromEntries(windows.map((window) => [window, 123_456_789])),
        })),
        headers: { limit: 'X-Limit', remaining: 'X-Remaining', reset: 'X-Reset' },
      },
    }),
  });

const commands = [
  [],
  ...['mock', 'conform', 'lint', 'diff', 'certify-client', 'judge-journal', 'resources'].map(
    (one) => [one],
  ),
  ['keygen'],
  ['verify'],
];

test.each(commands)('the help of petstore %s is 80 columns wide at most', async (...argv) => {
  const command = startCommand(...argv, '--help', ...(argv.length === 0 ? [] : ['all']));
  expect(await command.ended).toBe(0);
  expect(
    command
      .stdout()
      .split('\n')
      .filter((line) => countColumns(line) > 80 && !line.startsWith('Docs: ')),
  ).toEqual([]);
});
