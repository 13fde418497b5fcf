import type { Draw } from './random.ts';

type FormatText = (draw: Draw | undefined) => string;

/** A text of each format of JSON Schema and of OpenAPI's registry, unlike ones where drawn. */
const texts: Readonly<Record<string, FormatText>> = {
  'date-time': (draw) => `${dateOf(draw)}T${timeOf(draw)}Z`,
  date: dateOf,
  time: (draw) => `${timeOf(draw)}Z`,
  duration: (draw) => `P${1 + drawn(draw, 30)}D`,
  email: (draw) => `${nameOf(draw)}@example.org`,
  'idn-email': (draw) => `${nameOf(draw)}@example.org`,
  hostname: (draw) => `${nameOf(draw)}.example.org`,
  'idn-hostname': (draw) => `${nameOf(draw)}.example.org`,
  ipv4: (draw) => `192.0.2.${1 + drawn(draw, 254)}`,
  ipv6: (draw) => `2001:db8::${(1 + drawn(draw, 65_000)).toString(16)}`,
  uri: urlOf,
  url: urlOf,
  iri: urlOf,
  'uri-reference': pathOf,
  'iri-reference': pathOf,
  'uri-template': (draw) => `${pathOf(draw)}/{id}`,
  uuid: uuidOf,
  guid: uuidOf,
  'json-pointer': pathOf,
  'relative-json-pointer': (draw) => String(drawn(draw, 9)),
  regex: () => '^[a-z]+$',
  byte: base64Of,
  base64: base64Of,
  base64url: base64Of,
  int32: (draw) => String(1 + drawn(draw, 10_000)),
  int64: (draw) => String(1 + drawn(draw, 10_000)),
  float: (draw) => `${1 + drawn(draw, 100)}.5`,
  double: (draw) => `${1 + drawn(draw, 100)}.5`,
  decimal: (draw) => `${1 + drawn(draw, 100)}.5`,
  'unix-time': (draw) => String(1_767_225_600 + drawn(draw, 30_000_000)),
};

/** Undefined for a format that is not known here. */
export function formatText(format: string, draw: Draw | undefined): string | undefined {
  return Object.hasOwn(texts, format) ? texts[format]?.(draw) : undefined;
}

/** What members of a name usually hold, where the schema leaves the text open. */
const meanings: readonly (readonly [name: RegExp, text: FormatText])[] = [
  [/(^|_)(uu|gu)id$/i, uuidOf],
  [/e-?mail/i, (draw) => `${nameOf(draw)}@example.org`],
  [/(ur[il]|href|link|website|homepage)$/i, urlOf],
  [
    /_at$|At$|(date_?time|timestamp|created|updated|modified)$/i,
    (draw) => `${dateOf(draw)}T${timeOf(draw)}Z`,
  ],
  [/(^|_)date$|Date$|birthday/i, dateOf],
  [/currency/i, oneOf('EUR', 'USD', 'GBP', 'JPY', 'CHF')],
  [/country_?(code)?$/i, oneOf('DE', 'US', 'GB', 'JP', 'CH')],
  [/(^|_)(locale|lang|language)$/i, oneOf('en', 'de', 'fr', 'ja', 'es')],
  [/time_?zone/i, oneOf('Europe/Berlin', 'America/New_York', 'Asia/Tokyo')],
  [
    /phone|(^|_)(fax|mobile)$/i,
    (draw) => `+1202555${String(100 + drawn(draw, 99)).padStart(4, '0')}`,
  ],
  [/first_?name|given_?name/i, oneOf('Ada', 'Grace', 'Alan', 'Edsger', 'Barbara')],
  [
    /last_?name|sur_?name|family_?name/i,
    oneOf('Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov'),
  ],
  [/city/i, oneOf('Berlin', 'Boston', 'Kyoto', 'Geneva', 'Leeds')],
  [/^ip(_?address)?$/i, (draw) => `192.0.2.${1 + drawn(draw, 254)}`],
  [/version/i, (draw) => `1.${drawn(draw, 20)}.0`],
  [
    /(^|_)id$|Id$|ID$|^(key|code|sku|slug|token|hash)$/,
    (draw) => `${nameOf(draw)}-${1 + drawn(draw, 10_000)}`,
  ],
  [
    /name|title|label/i,
    oneOf('Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Grove', 'Heath'),
  ],
];

/** A text for a member by its name; undefined where the name says nothing. */
export function memberText(name: string, draw: Draw | undefined): string | undefined {
  return meanings.find(([form]) => form.test(name))?.[1](draw);
}

/** A text that says nothing. */
export function anyText(name: string, draw: Draw | undefined): string {
  const word = /^[A-Za-z][\w-]*$/.test(name) ? name : 'sample';
  return draw === undefined ? word : `${word} ${1 + draw(10_000)}`;
}

const words = [
  'amber',
  'birch',
  'cedar',
  'dune',
  'ember',
  'fjord',
  'grove',
  'heath',
  'iris',
  'jade',
];

function drawn(draw: Draw | undefined, limit: number): number {
  return draw?.(limit) ?? 0;
}

function oneOf(...values: readonly string[]): FormatText {
  return (draw) => values[drawn(draw, values.length)] ?? '';
}

function nameOf(draw: Draw | undefined): string {
  return words[drawn(draw, words.length)] ?? '';
}

function pathOf(draw: Draw | undefined): string {
  return `/${nameOf(draw)}/${1 + drawn(draw, 1000)}`;
}

function urlOf(draw: Draw | undefined): string {
  return `https://example.org${pathOf(draw)}`;
}

function dateOf(draw: Draw | undefined): string {
  return `2026-${twoDigits(1 + drawn(draw, 12))}-${twoDigits(1 + drawn(draw, 28))}`;
}

function timeOf(draw: Draw | undefined): string {
  return `${twoDigits(draw === undefined ? 12 : draw(24))}:${twoDigits(drawn(draw, 60))}:${twoDigits(drawn(draw, 60))}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function base64Of(draw: Draw | undefined): string {
  return btoa(nameOf(draw).padEnd(6, '-').slice(0, 6));
}

/** Of version 4 (RFC 9562 section 5.4). */
function uuidOf(draw: Draw | undefined): string {
  if (draw === undefined) return '3fa85f64-5717-4562-b3fc-2c963f66afa6';
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => draw(16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
