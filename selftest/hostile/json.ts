import { listKinds } from './kind.ts';
import type { Spoil } from './listener.ts';
import { latin1, type Message, renderWhole, withBody, withFields } from './message.ts';

/** Bodies that are no JSON, JSON that few read alike, and bodies that are not what is asked for. */
export const jsonKinds = listKinds({
  'body-empty': body(''),
  'body-of-spaces': body('  \r\n '),
  'body-of-nul': body('\0\0\0'),
  'json-null': body('null'),
  'json-text': body('"a"'),
  'json-number': body('7'),
  'json-empty-object': body('{}'),
  'json-cut': (message) => renderWhole(withBody(message, message.body.subarray(0, -2))),
  'json-twice': (message) =>
    renderWhole(withBody(message, Buffer.concat([message.body, message.body]))),
  'json-comment': edit((text) => `/* a */ ${text}`),
  'json-trailing-comma': edit((text) => text.replace(/([\]}])$/, ',$1')),
  'json-single-quotes': edit((text) => text.replaceAll('"', "'")),
  'json-prefix': edit((text) => `)]}',\n${text}`),
  'json-callback': edit((text) => `callback(${text});`),
  'json-bom': (message) =>
    renderWhole(withBody(message, Buffer.concat([latin1('\xef\xbb\xbf'), message.body]))),
  'json-utf16': edit((text) => text, 'utf16le'),
  'json-latin1': edit((text) => text.replace('"name":"', '"name":"\u00e9'), 'latin1'),
  'json-bytes-bad': edit((text) => text.replace('"name":"', '"name":"\xff\xfe'), 'latin1'),
  'json-overlong': edit((text) => text.replace('"name":"', '"name":"\xc0\xaf'), 'latin1'),
  'json-lone-surrogate-bytes': edit(
    (text) => text.replace('"name":"', '"name":"\xed\xa0\x80'),
    'latin1',
  ),
  'id-huge': member('id', '1e400'),
  'id-of-100000-digits': member('id', '9'.repeat(100_000)),
  'id-fraction-of-100000-digits': member('id', `0.${'1'.repeat(100_000)}`),
  'id-negative-huge': member('id', '-1e308'),
  'id-minus-zero': member('id', '-0.0'),
  'id-beyond-int64': member('id', '9223372036854775808'),
  'id-not-a-number': member('id', 'NaN'),
  'id-hex': member('id', '0x10'),
  'id-text': member('id', '"1"'),
  'id-null': member('id', 'null'),
  'id-deep': member('id', `${'['.repeat(150)}1${']'.repeat(150)}`),
  'name-escapes': member('name', String.raw`"\u001b[31m\u009b2J\u0000\u202e::error::</script>"`),
  'name-raw-control': member('name', '"\x1b[2J\x07"'),
  'name-lone-surrogate': member('name', String.raw`"\ud800"`),
  'name-of-2-mb': member('name', `"${'a'.repeat(2_000_000)}"`),
  'name-of-escapes': member('name', `"${String.raw`\u0000`.repeat(200_000)}"`),
  'name-of-backslashes': member('name', `"${'\\\\'.repeat(500_000)}"`),
  'name-unseen-600000': member('name', `"${'\u202e\u0336\u200b'.repeat(200_000)}"`),
  'json-utf32': (message) =>
    renderWhole(
      withBody(message, Buffer.from([...message.body].flatMap((byte) => [byte, 0, 0, 0]))),
    ),
  'json-lines': edit((text) => `${text}\n${text}`),
  'json-with-nul': edit((text) => `${text}\0`),
  'json-no-break-space': edit((text) => `\u00a0${text}`),
  'proto-only': body('{"__proto__":{"id":1,"name":"a","categoryId":1}}'),
  'list-of-lists': edit((text) => `[${text}]`),
  'length-member': body('{"length":1e9,"0":{}}'),
  'type-html': type('text/html'),
  'type-missing': (message) => renderWhole(withoutType(message)),
  'type-twice': (message) =>
    renderWhole(
      withFields(message, ['Content-Type', 'application/json'], ['Content-Type', 'text/html']),
    ),
  'type-of-garbage': type(';;;=\x9b'),
});

/** Members and types that mean nothing here: a target that sends them may conform. */
export const oddJsonKinds = listKinds({
  'proto-member': edit((text) =>
    text.replaceAll('"id":', '"__proto__":{"polluted":1},"constructor":{"prototype":{}},"id":'),
  ),
  'then-member': edit((text) => text.replaceAll('"id":', '"then":1,"toString":1,"id":')),
  'toJSON-member': edit((text) => text.replaceAll('"id":', '"toJSON":{},"valueOf":1,"id":')),
  'type-of-30-kb': type(`application/json; a="${'b;'.repeat(15_000)}"`),
});

/** Members twice in an object (RFC 8259 section 4: they should not be). */
export const doubtfulJsonKinds = listKinds({
  'id-twice': edit((text) => text.replaceAll('"id":', '"id":"a","id":')),
});

function body(text: string): Spoil {
  return (message) => renderWhole(message.body.length === 0 ? message : withBody(message, text));
}

function edit(change: (text: string) => string, encoding: BufferEncoding = 'utf8'): Spoil {
  return (message) => {
    const text = change(Buffer.from(message.body).toString('utf8'));
    return renderWhole(withBody(message, Buffer.from(text, encoding)));
  };
}

/** Gives a member, in every item, another value. */
function member(name: string, json: string): Spoil {
  const pattern = new RegExp(`"${name}":("[^"]*"|[-\\d]+)`, 'g');
  return edit((text) => text.replaceAll(pattern, () => `"${name}":${json}`));
}

function type(value: string): Spoil {
  return (message) => renderWhole(withFields(message, ['Content-Type', value]));
}

function withoutType(message: Message): Message {
  return {
    ...message,
    fields: message.fields.filter(([name]) => name.toLowerCase() !== 'content-type'),
  };
}
