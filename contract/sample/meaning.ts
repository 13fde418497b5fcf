import type { Draw } from './random.ts';

/** `name`: that of the member. */
type MakeText = (draw: Draw, name: string) => string;

/** Texts for the formats of JSON Schema and OpenAPI's registry; each drawing gives a different one. */
const formats: readonly (readonly [name: RegExp, text: MakeText])[] = [
  [/^date-time$/, instantOf],
  [/^date$/, dateOf],
  [/^time$/, (draw) => `${timeOf(draw)}Z`],
  [/^duration$/, (draw) => `P${1 + draw(30)}D`],
  [/^(idn-)?email$/, (draw) => `${nameOf(draw)}@example.org`],
  [/^(idn-)?hostname$/, (draw) => `${nameOf(draw)}.example.org`],
  [/^ipv4$/, (draw) => `192.0.2.${1 + draw(254)}`],
  [/^ipv6$/, (draw) => `2001:db8::${(1 + draw(65_000)).toString(16)}`],
  [/^(ur[il]|iri)$/, urlOf],
  [/^([ui]ri-reference|json-pointer)$/, pathOf],
  [/^uri-template$/, (draw) => `${pathOf(draw)}/{id}`],
  [/^(uu|gu)id$/, uuidOf],
  [/^relative-json-pointer$/, (draw) => String(draw(9))],
  [/^regex$/, () => '^[a-z]+$'],
  [/^(byte|base64|base64url)$/, base64Of],
  [/^int(32|64)$/, (draw) => String(1 + draw(10_000))],
  [/^(float|double|decimal)$/, (draw) => `${1 + draw(100)}.5`],
  [/^unix-time$/, (draw, name) => String(unixTimeOf(draw, name))],
];

/** Undefined for an unknown format. */
export function formatText(format: string, name: string, draw: Draw): string | undefined {
  return formats.find(([known]) => known.test(format.toLowerCase()))?.[1](draw, name);
}

/** Usual texts by member name, if the schema allows any text. The first match wins. */
const meanings: readonly (readonly [name: RegExp, text: MakeText | readonly string[]])[] = [
  [/(^|_)(uu|gu)id$/i, uuidOf],
  [/e-?mail/i, (draw) => `${nameOf(draw)}@example.org`],
  [/(ur[il]|href|link|website|homepage)$/i, urlOf],
  [/_at$|At$|(date_?time|timestamp|created|updated|modified)$/i, instantOf],
  [/(^|_)date$|Date$|birthday/i, dateOf],
  [/currency/i, ['EUR', 'USD', 'GBP', 'JPY', 'CHF']],
  [/country_?(code)?$/i, ['DE', 'US', 'GB', 'JP', 'CH']],
  [/(^|_)(locale|lang|language)$/i, ['en', 'de', 'fr', 'ja', 'es']],
  [/time_?zone/i, ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']],
  [/phone|(^|_)(fax|mobile)$/i, (draw) => `+1202555${String(100 + draw(99)).padStart(4, '0')}`],
  [/first_?name|given_?name/i, ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara']],
  [/last_?name|sur_?name|family_?name/i, ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov']],
  [/user_?name|login|handle|(^|_)(owner|author|user)$/i, ['ada', 'grace', 'alan', 'barbara']],
  [/file_?name/i, (draw) => `${nameOf(draw)}.txt`],
  [/host_?name/i, (draw) => `${nameOf(draw)}.example.org`],
  [/company|organi[sz]ation/i, ['Birch & Sons', 'Fjord Works', 'Heath Labs', 'Cedar Group']],
  [/city|town$/i, ['Berlin', 'Boston', 'Kyoto', 'Geneva', 'Leeds']],
  [/street|address_?(line)?_?1?$/i, (draw) => `${1 + draw(90)} Harbour Street`],
  [/zip|post(al)?_?code/i, (draw) => String(10_000 + draw(80_000))],
  [/^ip(_?address)?$/i, (draw) => `192.0.2.${1 + draw(254)}`],
  [/version/i, (draw) => `1.${draw(20)}.0`],
  [/branch$/i, ['main', 'develop', 'release']],
  [/colou?r$/i, ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728']],
  [/(media|mime|content)_?type$/i, ['application/json', 'text/plain', 'image/png']],
  [/(^|_)(sha\d*|hash|digest|checksum|etag)$/i, (draw) => hexOf(draw, 40)],
  [/status$|(^|_)state$/i, ['active', 'pending', 'completed']],
  [/(^|_)(type|kind|category)$|(Type|Kind|Category)$/, ['standard', 'basic', 'premium']],
  [
    /description|summary|comment|message|note|text|body|content|reason|bio$/i,
    [
      'The first one of its kind.',
      'Made by hand in a small series.',
      'Ready for review.',
      'Replaces the older version.',
      'Checked and approved.',
    ],
  ],
  [/path$/i, pathOf],
  [
    /(^|_)id$|Id$|ID$|^(key|code|sku|slug|token|hash)$|(Key|_key)$/,
    (draw) => `${nameOf(draw)}-${1 + draw(10_000)}`,
  ],
  [
    /name|title|label/i,
    ['Amber', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Grove', 'Heath', 'Iris', 'Jade'],
  ],
];

/** Usual numbers by member name. */
const quantities: readonly (readonly [
  name: RegExp,
  number: (draw: Draw, name: string) => number,
])[] = [
  [/(^|_)year$|Year$/, (draw) => 2019 + draw(8)],
  [/(^|_)month$|Month$/, (draw) => 1 + draw(12)],
  [/(^|_)day$|Day$/, (draw) => 1 + draw(28)],
  [/(^|_)hours?$|Hours?$/, (draw) => draw(24)],
  [/(^|_)(minutes?|seconds?)$|(Minutes?|Seconds?)$/, (draw) => draw(60)],
  [/(^|_)(date|time|timestamp|created|updated|modified|expires)$/i, unixTimeOf],
  [/_at$|At$|(Date|Time|Timestamp)$/, unixTimeOf],
  [/lat(itude)?$/i, (draw) => 40 + draw(1500) / 100],
  [/(^|_)(lng|lon|long|longitude)$|Longitude$/, (draw) => 2 + draw(1500) / 100],
  [/price|amount|cost|total|balance|fee$/i, (draw) => 5 + draw(20_000) / 100],
  [/(^|_)age$|Age$/, (draw) => 18 + draw(60)],
  [/(^|_)port$|Port$/, (draw) => 8000 + draw(1000)],
  [/width$/i, (draw) => 320 * (1 + draw(6))],
  [/height$/i, (draw) => 240 * (1 + draw(6))],
  [/(^|_)(size|bytes|length)$|(Size|Bytes|Length)$/, (draw) => 256 * (1 + draw(64))],
  [/count$|quantity|stock$/i, (draw) => 1 + draw(40)],
  [/percent|rate$|ratio$|score$/i, (draw) => 10 + draw(80)],
  [/duration|timeout|interval|ttl$/i, (draw) => 30 * (1 + draw(20))],
];

/** A usual text for a member by its name; undefined for unknown names. */
export function memberText(name: string, draw: Draw): string | undefined {
  const text = meanings.find(([form]) => form.test(name))?.[1];
  return typeof text === 'function' ? text(draw, name) : text?.[draw(text.length)];
}

/** A usual number for a member by its name; undefined for unknown names. */
export function memberNumber(name: string, draw: Draw): number | undefined {
  return quantities.find(([form]) => form.test(name))?.[1](draw, name);
}

/** Whether values of a member usually differ between items: ids and names. */
export function isVariedName(name: string): boolean {
  return /(^|_)(id|key|code|sku|slug|name|title|email)$|(Id|ID|Name|Key|Code)$/.test(name);
}

/** A text for a member of unknown meaning. */
export function anyText(draw: Draw): string {
  return `${nameOf(draw)} ${1 + draw(10_000)}`;
}

const nouns = 'amber birch cedar dune ember fjord grove heath iris jade'.split(' ');

function nameOf(draw: Draw): string {
  return nouns[draw(nouns.length)] ?? '';
}

function pathOf(draw: Draw): string {
  return `/${nameOf(draw)}/${1 + draw(1000)}`;
}

function urlOf(draw: Draw): string {
  return `https://example.org${pathOf(draw)}`;
}

/** Words in the names of dates that come before others, and after them. */
const earlier = 'created creation added inserted registered joined started start from since'.split(
  ' ',
);
const later = 'expires expiry expiration due end ends until to next deadline renewal'.split(' ');

/** The year of a date by its name, so that nothing changes before it was created. */
function yearOf(name: string): number {
  const parts = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((part) => part.toLowerCase());
  if (parts.some((part) => later.includes(part))) return 2027;
  return parts.some((part) => earlier.includes(part)) ? 2025 : 2026;
}

/** In the first half of a year. */
function dateOf(draw: Draw, name: string): string {
  return `${yearOf(name)}-${twoDigits(1 + draw(6))}-${twoDigits(1 + draw(28))}`;
}

function instantOf(draw: Draw, name: string): string {
  return `${dateOf(draw, name)}T${timeOf(draw)}Z`;
}

/** In seconds. */
function unixTimeOf(draw: Draw, name: string): number {
  return Date.UTC(yearOf(name), 0) / 1000 + draw(15_000_000);
}

function timeOf(draw: Draw): string {
  return `${twoDigits(draw(24))}:${twoDigits(draw(60))}:${twoDigits(draw(60))}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function base64Of(draw: Draw): string {
  return btoa(nameOf(draw).padEnd(6, '-').slice(0, 6));
}

/** A UUID of version 4 (RFC 9562 section 5.4). */
function uuidOf(draw: Draw): string {
  const hex = (digits: number): string => hexOf(draw, digits);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function hexOf(draw: Draw, digits: number): string {
  return Array.from({ length: digits }, () => draw(16).toString(16)).join('');
}
