import { describe, expect, test } from 'vitest';
import { createRedaction, redactedKey, redactOutcome } from './redaction.ts';

const key = 'k/Ey+7 "é"-Secret';
const redact = createRedaction(key);

describe('redacts a key', () => {
  test.each([
    ['as it is', key],
    ['in capitals', key.toUpperCase()],
    ['in small letters', key.toLowerCase()],
    ['without its end', key.slice(0, -1)],
    ['with an end', `${key}x`],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in small letters', encodeURIComponent(key).toLowerCase()],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
    ['as a form writes it', new URLSearchParams({ key }).toString().slice('key='.length)],
    ['as JSON', JSON.stringify(key).slice(1, -1)],
    ['as JSON within JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    [
      'in escapes of JSON',
      Array.from(key)
        .map((each) => `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
        .join(''),
    ],
    ['with escaped slashes', key.replaceAll('/', String.raw`\/`).replaceAll('"', String.raw`\"`)],
    [
      'in references of HTML',
      key.replaceAll('/', '&#x2F;').replaceAll('"', '&quot;').replaceAll('+', '&#43;'),
    ],
  ])('%s', (_how, spelling) => {
    expect(redact(`{"message":"Bearer ${spelling} is no key"}`)).toBe(
      `{"message":"Bearer ${redactedKey} is no key"}`,
    );
  });

  test.each(['', 'a', 'ab', 'Basic user:'])('in Base64 after %j', (before) => {
    const encoded = Buffer.from(`${before}${key}`).toString('base64');
    expect(redact(encoded)).toContain(redactedKey);
    expect(redact(encoded.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))).toContain(
      redactedKey,
    );
  });

  const swapped = 'K/eY+7 "É"-sECRET';
  test.each([key, swapped, key.toLowerCase(), key.toUpperCase()])(
    'in other encodings of %s and of near misses',
    (text) => {
      for (const miss of [text, text.slice(0, -1), `${text}x`]) {
        const bytes = Buffer.from(`Bearer ${miss}`);
        for (const form of [
          bytes.toString('base64'),
          bytes.toString('base64url'),
          bytes.toString('hex'),
          bytes.toString('hex').toUpperCase(),
          Array.from(miss).toReversed().join(''),
        ])
          expect(redact(`"${form}"`)).toContain(redactedKey);
      }
    },
  );

  test('in a text truncated within the key', () => {
    const encoded = encodeURIComponent(key);
    for (const form of [key, encoded, Buffer.from(key).toString('base64'), key.toUpperCase()])
      for (let left = form.length - 1; left > (form.length * 3) / 4; left -= 1)
        expect(redact(`"${form.slice(0, left)}… (9)`)).toMatch(/^"\[redacted\].{0,3}… \(9\)$/);
    expect(redact('k/Ey… and k/Eyes…')).toBe('k/Ey… and k/Eyes…');
  });

  test('more than once, and encoded several times', () => {
    const twice = `${key} ${key}`;
    expect(redact(twice)).toBe(`${redactedKey} ${redactedKey}`);
    expect(redact(twice)).toBe(`${redactedKey} ${redactedKey}`);
  });
});

describe('keeps other text', () => {
  test('that does not contain the key', () => {
    expect(redact('{"id":17,"name":"k/Ey"}')).toBe('{"id":17,"name":"k/Ey"}');
  });

  test('if there is no key, or it is too short to distinguish from other text', () => {
    expect(createRedaction(undefined)('abc')).toBe('abc');
    expect(createRedaction('abc')('abc')).toBe('abc');
  });

  test('in a JSON number that happens to have the digits of the key', () => {
    const redactDigits = createRedaction('12345');
    expect(redactDigits('{"id":12345,"code":"Bearer 12345"}')).toBe(
      `{"id":12345,"code":"Bearer ${redactedKey}"}`,
    );
    expect(redactDigits('[912345]')).toBe('[912345]');
  });
});

test.each([201, 1000, 8000, 100_000])('a key of %i characters is redacted', (length) => {
  const long = 'aB3xyz0189Kq/+='.repeat(length).slice(0, length - 1) + 'z';
  const redactLong = createRedaction(long);
  expect(redactLong(`<${long}> <${long.slice(0, -1)}>`)).toBe(`<${redactedKey}> <${redactedKey}>`);
  const isPattern = length < 4000;
  const forms = [
    encodeURIComponent(long),
    long.replaceAll('/', String.raw`\/`),
    long.toUpperCase(),
  ];
  for (const form of isPattern ? forms : [])
    expect(redactLong(`<${form}>`)).toBe(`<${redactedKey}>`);
});

test('a redaction marker written by the target itself is not taken for one', () => {
  const outcome = redactOutcome(
    {
      kind: 'answered',
      response: {
        status: 200,
        headers: [
          ['x-mask', redactedKey],
          ['x-key', key],
        ],
        body: `["${redactedKey}","${encodeURIComponent(key)}"]`,
        utf8: true,
      },
    },
    redact,
  );
  expect(outcome).toMatchObject({
    response: {
      headers: [
        ['x-mask', '[REDACTED]'],
        ['x-key', redactedKey],
      ],
      body: `["[REDACTED]","${redactedKey}"]`,
    },
  });
});
