import * as fc from 'fast-check';

/** Pieces of foreign texts that may move a cursor, command a CI server or a shell, or be markup. */
export const hostileTexts: readonly string[] = [
  '\u001B[31mred\u001B[2J',
  '\u001B]8;;http://evil.test\u0007link\u001B]8;;\u0007',
  '\u009B31m\u0085\u0090',
  '\r\n::error::pwned',
  '\n::set-output name=x::y',
  '::stop-commands::token',
  '\n##vso[task.setvariable variable=x]y',
  '##[add-mask]x',
  "x'; touch pwned; echo '",
  '$(touch pwned) `touch pwned` ${x}',
  '"; touch pwned; "',
  '!! !$ !x',
  '@/etc/hostname',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)> &lt; ]]>',
  '[a](javascript:alert(1)) ![b](http://evil.test/x.png)',
  '| a | b |\n|---|---|',
  '```\n# heading\n```',
  '\u202Eltr\u2066\u2069\u061C',
  '\u2028\u2029\u200B\uFEFF\u00AD',
  '\uD800 \uDC00 \uFFFE \u{F0000} \uE000',
  'a\tb\u0000c\u0008\u0007',
  '%0A%0D%25',
  '\\u{1b} \\n \\',
];

/** Texts of such pieces and any characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...hostileTexts),
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom("'", '"', '\\', '!', '$', '`', '\n', '%', '@', ';', '\u0000', '\uD83D', '~'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

/** Characters that output for people must not contain raw, except line feeds. */
export const rawControl = /(?![\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
