import { documentOf, type HostileDocument, members, ok, times } from './hostile-document.ts';

const text = { type: 'string' };

const many = (count: number): object =>
  documentOf(members(count, (at) => [`/p${at}`, { get: { responses: ok(text) } }]));

const texts = documentOf({}, { 'x-t': times(200, (at) => `${'a'.repeat(20_000)}!${at}`) });

const updates = (count: number, target: string, make: (at: number) => unknown): object[] =>
  times(count, (at) => ({ target, update: make(at) }));

const removes = (...targets: readonly string[]): object[] =>
  targets.map((target) => ({ target, remove: true }));

const twelve = `[${times(12, () => "'paths'").join(',')}]`;
const wildcards = times(40, () => '*').join(',');

/** What an overlay may do to a document: to select without end, and to make it grow. */
const cases: Readonly<Record<string, readonly [document: object, actions: readonly object[]]>> = {
  'grow-members': [documentOf({}), updates(30, '$..*', (at) => ({ [`x-${at}`]: {} }))],
  'grow-levels': [documentOf({}), updates(600, "$..[?@['x-1']]", () => ({ 'x-1': { 'x-1': {} } }))],
  'grow-lists': [documentOf({}, { 'x-l': [[]] }), updates(30, "$['x-l']..*", () => [[[], []], []])],
  'large-text': [many(1_000), updates(1, '$..*', () => ({ 'x-t': 'x'.repeat(1_000_000) }))],
  'large-list': [
    many(1_000),
    updates(1, '$.paths.*', () => ({ 'x-l': times(10_000, () => ({})) })),
  ],
  'nested-wildcards': [many(2_000), removes('$..*..*..*..*..*..*..[?@.none]')],
  'nested-filters': [many(2_000), removes('$..[?$..[?$..[?@.a == 1]]]')],
  'filter-counts': [many(2_000), removes('$..[?count($..*..*) < 0]')],
  'filter-compares': [many(2_000), removes('$..[?$.paths == $.none || $.paths != $.paths]')],
  'same-names': [documentOf({}), removes(`$${twelve}${`[${wildcards}]`.repeat(8)}`)],
  patterns: [
    texts,
    removes(
      ...['(a+)+$', '(a|a)*(a|a)*b', '(.*a){20}c', '(a{1,900}){1,900}', '(|a){60}b', '(a*)*c'].map(
        (pattern) => `$..[?search(@, '${pattern}')]`,
      ),
    ),
  ],
  'patterns-of-document': [texts, removes('$..[?$..[?match(@, $["x-t"][0])]]')],
  'many-actions': [documentOf({}), times(50_000, (at) => ({ target: `$..x${at}`, remove: true }))],
  'long-targets': [many(100), removes(`$${'.a'.repeat(4_000)}`, `$${'..a'.repeat(3_000)}`)],
  'deep-filter': [
    many(10),
    removes(`$[?${'!'.repeat(4_000)}@.a]`, `$${'[?@'.repeat(2_000)}${']'.repeat(2_000)}`),
  ],
  slices: [
    documentOf({}, { 'x-l': times(100_000, (at) => at) }),
    removes(...times(500, () => '$..[::-1][0:9007199254740991]')),
  ],
  appended: [documentOf({}, { 'x-l': [] }), updates(30_000, "$['x-l']", (at) => [at, at])],
};

/** Documents that are sound, with overlays that are not. */
export function listOverlays(): HostileDocument[] {
  const info = { title: 'Hostile', version: '1' };
  return Object.entries(cases).map(([name, [document, actions]]) => ({
    name: `overlays/${name}`,
    files: {
      'openapi.json': JSON.stringify(document),
      'overlay.json': JSON.stringify({ overlay: '1.0.0', info, actions }),
    },
    overlay: 'overlay.json',
    isRefused: name === 'deep-filter',
  }));
}
