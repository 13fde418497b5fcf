import type { Random } from '../../../contract/index.ts';

/** One of several. */
export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** A whole number from 0, less than another. */
export function below(random: Random, most: number): number {
  return Math.floor(random() * most);
}

const texts = [
  '',
  '0',
  '-0',
  '1',
  '-1',
  '1e999',
  '9007199254740993',
  '9223372036854775808',
  '0x10',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '..',
  '/etc/passwd',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '{}',
  '[]',
  '"',
  '\\',
  'ä',
  '漢字',
  '🐢',
  'e\u0301',
  '\u202Etxt',
  '\u0000',
  '\u0085\u2028',
  '\r\nX: y',
  ' ',
] as const;

/** A text that is seldom expected; now and then a long one. */
export function oddText(random: Random): string {
  const length = random();
  if (length < 0.02) return '9'.repeat(1 + below(random, 2000));
  if (length < 0.04) return pick(random, ['a', 'é', '漢', '%']).repeat(1 + below(random, 1500));
  return pick(random, texts) + (random() < 0.2 ? pick(random, texts) : '');
}

/** A text as a part of a target: mostly encoded, now and then wrongly. */
export function oddPart(random: Random): string {
  const how = random();
  if (how < 0.1)
    return pick(random, ['%', '%zz', '%00', '%2F', '%ED%A0%80', '%FF', '+', ';a=b', '%252e', '*']);
  if (how < 0.5) return `${below(random, 40)}`;
  return encodeURIComponent(oddText(random));
}
