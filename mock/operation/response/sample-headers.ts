import { isFieldName, type HeaderContract } from '../../../contract/openapi/header.ts';
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  renderJson,
} from '../../../contract/json/value.ts';
import type { SchemaNode } from '../../../contract/schema/schema-node.ts';
import { sampleSchema } from '../../../contract/sample/sample.ts';
import { createRandom, hashText } from '../../../contract/sample/random.ts';
import { readTextValue, simpleSource } from '../../http/parameter-text.ts';
import { renderHttpDate } from '../../http/field.ts';
import type { Moment } from './outcome.ts';
import { maxSampleHeader, maxSampleHeaders } from '../../../contract/limits/index.ts';

/** A header of the document for which the engine has no rule of its own. */
export interface SampleHeader {
  readonly name: string;
  /** A value that the header's schema takes; the same for the same request of the same sandbox. */
  readonly render: Render;
}

type SampleMoment = Pick<Moment, 'now' | 'target' | 'sandbox' | 'index'>;

type Render = (moment: SampleMoment, body: string) => string;

/** They frame the message: the integration that sends it writes them (RFC 9112). */
const framingHeaders =
  /^(?:date|connection|content-(?:length|encoding)|trailer|transfer-encoding|keep-alive|upgrade)$/i;

type Meanings = readonly (readonly [name: RegExp, values: readonly Render[]])[];

/** What names mean that depend on the response: no example of the document would be true. */
const actual: Meanings = [
  [/^etag$/i, [(_moment, body) => `"${renderHex(hashText(body), 8)}"`]],
  [/^(?:last-modified|expires)$|(?:^|-)date$/i, [({ now }) => renderHttpDate(now)]],
  [/^(?:content-)?location$/i, [({ target }) => target]],
  [/^link$/i, [({ target }) => `<${target}>; rel="self"`]],
];

/** What other names mean, where many services mean the same by them; the first that fits decides. */
const usual: Meanings = [
  [/^traceparent$/i, [(at) => `00-${renderHex32(at)}-${renderHex32(at).slice(16)}-01`]],
  [/(?:^|-)u?u?id$|correlation|trace|nonce/i, [renderUuid, renderHex32]],
  [/^retry-after$/i, [() => '1']],
  [/^cache-control$/i, [() => 'no-store']],
  [/^content-language$/i, [() => 'en']],
];

/** Compiles values for headers; one that can have no value is left out, or no room is left for. */
export function compileSampleHeaders(headers: readonly HeaderContract[]): readonly SampleHeader[] {
  let left: number = maxSampleHeaders;
  const samples: SampleHeader[] = [];
  for (const header of headers) {
    const { name, schema } = header;
    if (!isFieldName(name) || framingHeaders.test(name)) continue;
    const render = listCandidates(header).find((one) => isTaken(one, schema));
    const size = name.length + ': \r\n'.length + (render?.(momentOf(99), '').length ?? 0);
    if (render === undefined || size > left) continue;
    left -= size;
    samples.push({ name, render });
  }
  return samples;
}

function momentOf(index: number): SampleMoment {
  return { now: 1e12, target: '/', sandbox: 'main', index };
}

/** What the response makes of it, as the document shows it, by name, else as plain as the schema allows. */
function* listCandidates({ name, schema, examples }: HeaderContract): Generator<Render> {
  const meantBy = (meanings: Meanings): readonly Render[] =>
    meanings.find(([form]) => form.test(name))?.[1] ?? [];
  yield* meantBy(actual);
  const { default: usualValue, values = [], minimum } = schema?.shape() ?? {};
  for (const value of [...examples.map((each) => each.value), usualValue])
    if (value !== undefined) yield () => renderSimple(value);
  yield* meantBy(usual);
  // An id that is a number differs from request to request.
  const first = BigInt(Math.ceil(Number(minimum?.value ?? 0)));
  if (meantBy(usual).length > 1) yield ({ index }) => `${first + BigInt(index)}`;
  for (const value of [...values, ...(schema === undefined ? ['sample'] : sampleValues(schema))])
    yield () => renderSimple(value);
}

/** The plainest that the schema takes, and others where a header cannot carry it. */
function* sampleValues(schema: SchemaNode): Generator<JsonValue> {
  const { minLength = 0, maxLength = 20, types } = schema.shape();
  // The items of a list may have examples.
  if (minLength <= maxSampleHeader && types.includes('string'))
    yield 'sample'.padEnd(minLength, '-').slice(0, Math.max(minLength, maxLength));
  yield sampleSchema(schema, { direction: 'response' }).value;
  for (const seed of ['1', '2']) yield sampleSchema(schema, { direction: 'response', seed }).value;
}

/** The schema takes the value, and a header can carry it (RFC 9110 section 5.5). */
function isTaken(render: Render, schema: SchemaNode | undefined): boolean {
  return [0, 99].every((index) => {
    const text = render(momentOf(index), '');
    if (text.length > maxSampleHeader) return false;
    const isText = /^[\x21-\x7E\x80-\xFF](?:[\t\x20-\x7E\x80-\xFF]*[\x21-\x7E\x80-\xFF])?$/.test(
      text,
    );
    if (!isText || schema === undefined) return isText;
    return readTextValue(simpleSource(text, false), schema)?.issues.length === 0;
  });
}

/** Style `simple`, not exploded (RFC 6570 section 3.2.2; OpenAPI 3.1, Header Object). */
function renderSimple(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isJsonArray(value)) return value.map(renderSimple).join(',');
  return isJsonObject(value)
    ? Object.entries(value)
        .flatMap(([name, member]) => [name, renderSimple(member ?? null)])
        .join(',')
    : renderJson(value);
}

/** Version 4 in form (RFC 9562 section 5.4): the sandbox draws its beginning, its end counts. */
function renderUuid(moment: SampleMoment): string {
  const hex = renderHex32(moment);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

function renderHex32({ sandbox, index }: SampleMoment): string {
  const random = createRandom(hashText(sandbox));
  const drawn = [1, 2, 3].map(() => renderHex(Math.floor(random() * 2 ** 32), 8)).join('');
  return drawn.slice(0, 20) + renderHex(index + 1, 12);
}

function renderHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
