import { renderJson } from '../../../contract/index.ts';
import { validBody } from '../lawful-request.ts';
import { forCreates } from './trial.ts';

/** Texts that are no JSON, made from a valid one; lenient readers take some of them. */
const ways: readonly (readonly [way: string, rank: number, breakText: (text: string) => string])[] =
  [
    ['a body that is no JSON', 1, () => '{"name": "cut off'],
    ['text behind the body', 2, (text) => `${text} and more`],
    ['two bodies', 3, (text) => `${text}\n${text}`],
    ['a comma behind the last member', 3, (text) => text.replace(/\}$/, ',}')],
    ['a comment in the body', 3, (text) => text.replace('{', '{/* new */')],
    ['names in apostrophes', 4, (text) => text.replaceAll('"', "'")],
    ['NaN as a value', 3, (text) => text.replace(/:[^:,}]*\}$/, ':NaN}')],
    ['a body of white space', 3, () => ' \n'],
    ['a byte order mark before the body', 4, (text) => `\ufeff${text}`],
    ['an unescaped line break in a text', 4, (text) => text.replace(':"', ':"\n')],
    ['a number with a zero before it', 4, (text) => text.replace(/:(\d)/, ':0$1')],
  ];

/** `malformed-body`: several kinds of broken JSON. */
export const listMalformedBodyTrials = forCreates((operation, resource) =>
  ways.map(([way, rank, breakText]) => ({
    way,
    operation,
    rank,
    request: (run) => ({ body: breakText(renderJson(validBody(operation, resource, run))) }),
  })),
);
