import { expect, test } from 'vitest';
import { parsePreferences, readPreference } from './preference.ts';

test.each([
  ['code=404', [['code', '404']]],
  [
    'CODE = 404; x, example="two, three"',
    [
      ['code', '404'],
      ['example', 'two, three'],
    ],
  ],
  [String.raw`example="a\"b"`, [['example', 'a"b']]],
  [
    'respond-async, code=200, code=500',
    [
      ['respond-async', ''],
      ['code', '200'],
    ],
  ],
])('%s has the preferences %j', (text, preferences) => {
  expect([...parsePreferences(text)]).toEqual(preferences);
});

/** Where each character was looked at once for each one before it, this would go on for hours. */
test.each(['"', '\\"', '"\\', 'a="', 'a=" ', ' ', ',', '=', ';', 'a;', '"",', 'é'])(
  'many of %s are read in one pass',
  (piece) => {
    const prefer = piece.repeat(1_000_000);
    expect(readPreference({ prefer }).code).toBeUndefined();
    expect(readPreference({ prefer: `code=404, ${prefer}` }).code).toBe(404);
  },
);
