import { expect, test } from 'vitest';
import { petstore } from '../../../test/contract/petstore.ts';
import {
  add,
  invalid,
  judgeLog,
  list,
  refused,
  type LogEntry,
} from '../../../test/conformance/log.ts';
import type { Verdict } from '../../judge/verdict.ts';

const of400 = 'createPet/state.not-written.400';
const of401 = 'createPet/state.not-written.401';
const roomy = { query: '?limit=100' };
const tom = { id: 2, name: 'Tom', categoryId: 1, status: 'pending' };
const stray = { id: 3, name: 'x', categoryId: 7 };
const body = { name: 'Rex pc-12345678-0001', categoryId: 1, status: 'sold' };
const own = { ...body, name: 'Ben pc-12345678-0002' };
const ben = { id: 4, ...own };
const start = list([tom], roomy);
const shown = list([tom, stray], roomy);
const nameless = refused({ categoryId: 7 }, invalid('createPet/request.body.name.required'));
const lost = refused({ ...body, status: 'lost' }, invalid('createPet/request.body.status.values'));
const keyless = refused(body, invalid('createPet/auth.missing', 401), {
  credential: 'missing',
  status: 401,
});

/** The result for a log if nobody else uses the target, and if others may. */
type Row = readonly [
  title: string,
  log: readonly LogEntry[],
  exclusive: Readonly<Record<string, Verdict['kind']>>,
  shared: Readonly<Record<string, Verdict['kind']>>,
];

const untested = { [of400]: 'not-tested' } as const;
const passed = { [of400]: 'passed' } as const;

const rows: readonly Row[] = [
  ['an item without a text of the run', [start, nameless, shown], { [of400]: 'failed' }, untested],
  [
    'an item that a filtered list shows',
    [
      start,
      nameless,
      lost,
      list([{ ...stray, status: 'sold' }], { query: '?limit=100&status=sold' }),
    ],
    { [of400]: 'failed' },
    untested,
  ],
  [
    'an item that the response of an addition shows',
    [start, lost, add(own, ben), list([tom, ben], roomy)],
    passed,
    passed,
  ],
  ['nothing new', [start, lost, list([tom], roomy)], passed, passed],
  ['a first list that is full', [list([tom], { query: '?limit=1' }), lost, shown], passed, passed],
  ['no first list', [lost, shown], passed, passed],
  [
    'a list that lacks an addition',
    [start, lost, add(own, ben), shown],
    { ...passed, 'listPets/state.listed': 'failed' },
    { ...passed, 'listPets/state.listed': 'failed' },
  ],
  ['a refusal after the item was there', [start, shown, lost, shown], passed, passed],
  [
    'an item that two statuses may have added',
    [start, lost, keyless, shown],
    { ...untested, [of401]: 'not-tested' },
    { ...untested, [of401]: 'not-tested' },
  ],
  [
    'more items than the requests without a key',
    [start, lost, nameless, keyless, list([tom, stray, { ...stray, id: 5 }], roomy)],
    { [of400]: 'failed', [of401]: 'not-tested' },
    { ...untested, [of401]: 'not-tested' },
  ],
  [
    'an addition that failed',
    [start, lost, add(own, undefined, { status: 503, answer: 'down' }), shown],
    untested,
    untested,
  ],
  [
    'an addition that nobody answered, before the first list',
    [add(own, undefined, { lost: 'timeout' }), start, lost, shown],
    untested,
    untested,
  ],
  [
    'an addition that was turned away for the limit',
    [start, lost, add(own, undefined, { status: 429 }), shown],
    untested,
    untested,
  ],
];

test.for(rows)('%s', ([, log, exclusive, shared]) => {
  expect(judgeLog(petstore, log, Object.keys(exclusive), { exclusive: true })).toMatchObject(
    exclusive,
  );
  expect(judgeLog(petstore, log, Object.keys(shared))).toMatchObject(shared);
});
