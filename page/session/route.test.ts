import { expect, test } from 'vitest';
import { parseRoute, renderRoute } from './route.ts';

test.for([
  ['', { section: 'start', part: '', sandbox: 'main', query: {} }, '#/start'],
  ['#/requests', { section: 'requests', part: '', sandbox: 'main', query: {} }, '#/requests'],
  [
    '#/requests?sandbox=alice&status=4xx&text=',
    { section: 'requests', part: '', sandbox: 'alice', query: { status: '4xx', text: '' } },
    '#/requests?sandbox=alice&status=4xx',
  ],
  [
    '#/requests?text=a%26b+%3F',
    { section: 'requests', part: '', sandbox: 'main', query: { text: 'a&b ?' } },
    '#/requests?text=a%26b+%3F',
  ],
  [
    '#/sandboxes/faults?sandbox=alice',
    { section: 'sandboxes', part: 'faults', sandbox: 'alice', query: {} },
    '#/sandboxes/faults?sandbox=alice',
  ],
] as const)(
  'the fragment %j is a route, and is rendered as short as possible',
  ([text, route, own]) => {
    expect(parseRoute(text)).toEqual(route);
    expect(renderRoute(route)).toBe(own);
  },
);
