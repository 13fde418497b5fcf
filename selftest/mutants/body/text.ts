import { gzipSync } from 'node:zlib';
import { changeWireResponse, changeText } from '../../subject/response-change.ts';
import { type Mutant, type Rows, createMutant, listMutants, phrase } from '../../subject/mutant.ts';
import { created, fetched, listed, requirementsAt, type Place } from '../../subject/place.ts';

const cutToCharacters = (json: string): Uint8Array => Buffer.from(json).subarray(0, json.length);

type Encode = (text: string) => Uint8Array;

function texts(place: Place, rows: Rows<(text: string) => string>): readonly Mutant[] {
  return listMutants(
    `${place.name}-text-`,
    requirementsAt(place, 'body'),
    (change: (text: string) => string) => changeText(place, change),
    phrase((words) => `In ${place.words}, ${words}`, rows),
  );
}

function bytes(place: Place, rows: Rows<Encode>): readonly Mutant[] {
  return listMutants(
    `${place.name}-bytes-`,
    requirementsAt(place, 'body'),
    (encode: Encode) =>
      changeWireResponse(place, (response) => ({
        ...response,
        bytes: encode(new TextDecoder().decode(response.bytes)),
      })),
    phrase((words) => `In ${place.words}, ${words}`, rows),
  );
}

/** Bytes that show where a text goes beyond ASCII. */
const characterBytes: Rows<Encode> = {
  latin1: ['the text is in Latin-1.', encodeLatin1],
  'length-in-characters': [
    'Content-Length counts characters, so that bytes are missing at the end.',
    cutToCharacters,
  ],
};

/** Bytes that are no text in UTF-8 at all. */
const otherBytes: Rows<Encode> = {
  utf16: ['the text is in UTF-16.', (json) => Buffer.from(json, 'utf16le')],
  gzip: ['the bytes are compressed and no Content-Encoding says so.', (json) => gzipSync(json)],
};

/** Rewrites each escape of a JSON text, such as `\n`. */
function mapEscapes(json: string, change: (escape: string) => string): string {
  return json.replaceAll(/\\(?:u[0-9a-f]{4}|.)/gi, change);
}

const controls: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\r': '\r' };

const listTexts: readonly Mutant[] = [
  ...texts(listed, {
    'trailing-comma': [
      'the last item has a comma after it, as a loop writes it.',
      (json) => json.replace(/\}\]$/, '},]'),
    ],
  }),
  createMutant(
    'list-text-lines',
    requirementsAt(listed, 'body', 'body.type'),
    'In a list, items stand one a line, without brackets and commas.',
    changeText(listed, (json) => json.slice(1, -1).replaceAll('},{', '}\n{')),
  ),
  ...texts(listed, {
    bom: [
      'a byte order mark stands before the text (RFC 8259 section 8.1 forbids it).',
      (json) => `\uFEFF${json}`,
    ],
    'warning-before': [
      'a warning of the language stands before the text.',
      (json) => `<br />\n<b>Warning</b>: Undefined index: status<br />\n${json}`,
    ],
    'cut-at-1024': [
      'the text ends after 1,024 characters, where a buffer is full.',
      (json) => json.slice(0, 1024),
    ],
  }),
  ...bytes(listed, { ...characterBytes, ...otherBytes }),
];

const createdTexts: readonly Mutant[] = [
  ...texts(created, {
    'raw-controls': [
      'line breaks and tabs of a name are not escaped.',
      (json) => mapEscapes(json, (escape) => controls[escape] ?? escape),
    ],
    'raw-quotes': [
      'quotes of a name are not escaped: the text is put together by hand.',
      (json) => mapEscapes(json, (escape) => (escape === String.raw`\"` ? '"' : escape)),
    ],
    'cut-at-nul': [
      'the text ends at a NUL character of the name, as C strings do.',
      (json) => json.split(String.raw`\u0000`, 1)[0] ?? '',
    ],
    undefined: [
      'a status that is absent is written as `undefined`.',
      (json) => (json.includes('"status"') ? json : json.replace(/\}$/, ',"status":undefined}')),
    ],
    twice: ['the text is written twice: two layers answer.', (json) => json + json],
  }),
  ...bytes(created, {
    surrogates: [
      'characters beyond 16 bits are two encoded surrogates, as in CESU-8.',
      encodeUnits,
    ],
    ...characterBytes,
  }),
];

const fetchedTexts: readonly Mutant[] = [
  ...texts(fetched, {
    separators: [
      'large numbers have commas between thousands.',
      (json) =>
        json.replaceAll(/(?<="categoryId":-?)\d{4,}/g, (digits) =>
          BigInt(digits).toLocaleString('en-US'),
        ),
    ],
    'leading-zeros': [
      'the id is padded with zeros.',
      (json) =>
        json.replace(/"id":(\d+)/, (_whole, digits: string) => `"id":${digits.padStart(8, '0')}`),
    ],
    'comment-after': [
      'a comment of the cache follows the text.',
      (json) => `${json}<!-- cached -->`,
    ],
    empty: ['the body is empty.', () => ''],
  }),
  ...bytes(fetched, otherBytes),
];

/** What Latin-1 does not have is escaped. */
function encodeLatin1(json: string): Uint8Array {
  const escaped = json.replaceAll(
    /[^\0-\xff]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

/** Every UTF-16 code unit on its own, surrogates as three bytes each. */
function encodeUnits(json: string): Uint8Array {
  return Buffer.concat(
    json
      .split('')
      .map((unit) =>
        /[\uD800-\uDFFF]/.test(unit) ? encodeSurrogate(unit.charCodeAt(0)) : Buffer.from(unit),
      ),
  );
}

function encodeSurrogate(unit: number): Uint8Array {
  return Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
}

/** Answers whose body is no JSON text in UTF-8. */
export const bodyTextMutants: readonly Mutant[] = [...listTexts, ...createdTexts, ...fetchedTexts];
