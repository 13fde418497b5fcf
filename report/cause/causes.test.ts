import { describe, expect, test } from 'vitest';
import { petstore } from '../../contract/testing/petstore.ts';
import type { Parts } from '../../selftest/service/behaviour.ts';
import { idsOf, judgeParts, mutantOf } from '../testing/causes.ts';
import { causesOf } from './causes.ts';

describe('a fault is one cause, told as what it is', () => {
  const rows: readonly (readonly [id: string, sentence: RegExp])[] = [
    [
      'auth-missing-accepted',
      /^listPets, createPet and getPet serve 3 of the 4 requests in which there is no key, and no other/,
    ],
    [
      'auth-once-per-connection',
      /^listPets, createPet and getPet serve 11 of 12 requests that have to be answered 401\.$/,
    ],
    ['unauthorized-403-any', /answer 403, not 401, to/],
    ['unauthorized-500-missing', /500 \(.*\) to the 4 requests in which there is no key, and no/],
    [
      'refused-422',
      /^createPet answers 422, not 400, to all \d+ requests that have to be answered 400\.$/,
    ],
    ['refused-500', /500 \(.*\) to the \d+ requests in which the request has to be answered 400/],
    ['refused-in-error', /^18 of 20 responses of createPet are .*: all is within `error`\.$/],
    ['created-in-data', /^all \d+ responses of createPet .* all is within `data`\.$/],
    [
      'created-status-202',
      /^createPet answers 202, not 201, to all \d+ requests that keep the contract\.$/,
    ],
    ['category-id-double-everywhere', /^`categoryId` comes back as the nearest double/],
    ['category-id-double-printed', /such as -9007199254740993 as -9007199254740992\.$/],
    ['category-id-32-bits-stored', /^`categoryId` is cut to 32 bits: /],
    [
      'category-id-beyond-double-500',
      /requests in which `categoryId` is beyond 2\^53, and no other/,
    ],
    ['category-id-zero-500', /to the 2 requests in which `categoryId` is 0, and no other\.$/],
    [
      'id-through-double-2-53',
      /^Identifiers pass through a double, which rounds integers beyond 2\^53, such as \d+: 9/,
    ],
    ['name-trimmed', /^`name` loses the spaces at its beginning and end: /],
    ['name-nfc', /^`name` is normalised to NFC: /],
    ['name-cut-255', /^`name` is cut to 255 characters: /],
    ['name-in-capitals-list', /^`name` is put into capitals: /],
    ['name-controls-dropped', /^`name` has its control characters changed: /],
    ['name-over-1000-500', /in which `name` is longer than 1000 characters, and no other/],
    ['status-available-list', /^`status` is "available" whatever was sent: /],
    ['status-left-out-stored', /^`status` does not come back: /],
    [
      'headers-on-success-only',
      /^None of \d+ error responses carries X-RateLimit-Limit, X-RateLimit-R/,
    ],
    [
      'headers-standard',
      /^None of \d+ responses carries X-RateLimit-Limit, X-RateLimit-Remaining or /,
    ],
    ['headers-not-on-not-found', /^None of 3 responses with 404 carries X-RateLimit-Limit, /],
    ['rate-limit-reset-from-now', /^X-RateLimit-Reset looks like seconds to go, not a timestamp/],
    ['rate-limit-reset-milliseconds', /^X-RateLimit-Reset looks like milliseconds, not seconds/],
    [
      'rate-limit-reset-date',
      /^X-RateLimit-Reset is an ISO 8601 date, not a Unix time, in 60 of 60 responses/,
    ],
    ['rate-limit-limit-zero', /^X-RateLimit-Limit is "0" in 60 of 60 responses/],
    ['limit-unknown', /^listPets shows other items than it has to: 5 of 7 responses/],
    ['list-hides-added', /^listPets shows other items than it has to: /],
    ['get-shows-id-only-asked', /^getPet does not show the item asked for: /],
    ['together-one-answer', /^Requests at the same time get in each other's way: /],
  ];

  test.for(rows)('%s', async ([id, sentence]) => {
    const { breaks, behaviour } = mutantOf(id);
    const { causes } = await judgeParts(behaviour);
    expect(causes.map((cause) => cause.sentence)).toEqual([expect.stringMatching(sentence)]);
    expect(breaks).toContain(causes[0]?.findings[0].requirement.id);
  });
});

describe('a service that looks at nothing', () => {
  const answer = (text: string): Parts => ({
    finish: (wire) => ({
      ...wire,
      status: 200,
      headers: { 'content-type': 'application/json' },
      bytes: new TextEncoder().encode(text),
    }),
  });

  test('is one cause, which holds the rest', async () => {
    const { report, causes } = await judgeParts(() => answer('{}'));
    const count = report.exchanges.length;
    expect(causes.map(({ sentence }) => sentence)).toEqual([
      `All ${count} responses are 200 {}: whatever is sent, the same.`,
    ]);
    expect(causes[0]?.exchanges).toHaveLength(count);
  });

  test('has no effect of one operation under a cause that names another', async () => {
    const { finish } = answer('{}');
    const { causes } = await judgeParts(() => ({
      finish: (wire, call) => (call.method === 'POST' ? (finish?.(wire, call) ?? wire) : wire),
    }));
    const [cause] = causes.filter(({ sentence }) => sentence.startsWith('createPet serves all'));
    const operations = cause?.findings.map(({ requirement }) => requirement.operation);
    expect(new Set(operations)).toEqual(new Set(['createPet']));
  });
});

describe('the causes of a report', () => {
  test('hold each failure once', async () => {
    const { report, causes } = await judgeParts(() => ({
      ...mutantOf('name-trimmed').behaviour(),
      ...mutantOf('headers-on-success-only').behaviour(),
      ...mutantOf('auth-reads-open').behaviour(),
    }));
    const all = report.verdicts.flatMap((verdict) =>
      verdict.kind === 'failed' ? verdict.failures : [],
    );
    const held = causes.flatMap(({ findings }) => findings.flatMap(({ failures }) => failures));
    expect(held).toHaveLength(all.length);
    expect(new Set(held)).toEqual(new Set(all));
    expect(causes).toHaveLength(3);
  });

  test('begin with crashes, and tell of what is written before what is read', async () => {
    const crash = mutantOf('list-500-pending').behaviour();
    const read = mutantOf('name-in-capitals-item').behaviour();
    const written = mutantOf('name-trimmed').behaviour();
    const { causes } = await judgeParts(() => ({ ...read, ...written, ...crash }));
    expect(causes.map(({ findings: [first] }) => first.requirement.operation)).toEqual([
      'listPets',
      'createPet',
      'getPet',
    ]);
  });

  test('tell one requirement twice where it fails for two reasons', async () => {
    const { causes } = await judgeParts(() => ({
      ...mutantOf('name-number-kept').behaviour(),
      finish: (wire, call) =>
        /"name":null/.test(new TextDecoder().decode(call.body)) ? { ...wire, status: 500 } : wire,
    }));
    const id = 'createPet/request.body.name.type';
    expect(causes.map(({ fact }) => fact.kind)).toEqual(['crash', 'requirement']);
    const some = expect.arrayContaining([id]);
    expect(causes.map(idsOf)).toEqual([some, some]);
  });

  test('are a requirement each where exchanges are not there', () => {
    const verdicts = petstore.requirements.slice(0, 2).map((requirement) => ({
      kind: 'failed' as const,
      requirement,
      failures: [{ exchange: 7, others: [], expected: 'a', received: 'b' }],
    }));
    expect(causesOf(petstore, verdicts, []).flatMap(idsOf)).toHaveLength(2);
    expect(causesOf(petstore, [], [])).toEqual([]);
  });
});
