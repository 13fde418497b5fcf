import { describe, expect, test } from 'vitest';
import type { Parts } from '../../selftest/service/service.ts';
import { generateMutants, FaultContext } from '../../selftest/generated/index.ts';
import { startServer } from '../../selftest/generated/server.ts';
import { petstore } from '../../test/contract/petstore.ts';
import { idsOf, judgeParts, mutantOf } from '../../test/report/causes.ts';
import { causesOf } from './causes.ts';

describe('a fault is one cause, described as such', () => {
  const rows: readonly (readonly [id: string, sentence: RegExp])[] = [
    [
      'auth-once-per-connection',
      /^createPet, listPets and getPet accept 11 of 12 requests that should get 401\.$/,
    ],
    ['unauthorized-403-any', /return 403 instead of 401 for/],
    [
      'refused-422',
      /^createPet returns 422 instead of 400 for all \d+ requests that should get 400\.$/,
    ],
    [
      'refused-in-error',
      /^All 18 createPet 400 responses differ .*: everything is inside `error`\.$/,
    ],
    ['created-in-data', /^All \d+ createPet 201 responses .* everything is inside `data`\.$/],
    ['created-status-202', /^createPet returns 202 instead of 201 for all \d+ valid requests\.$/],
    ['category-id-double-everywhere', /^`categoryId` is rounded to the nearest double/],
    ['category-id-double-everywhere', /such as -9007199254740992 for -9007199254740993\.$/],
    ['category-id-32-bits-stored', /^`categoryId` is cut to 32 bits: /],
    [
      'category-id-beyond-double-500',
      /requests in which `categoryId` is beyond 2\^53, and for no other/,
    ],
    [
      'category-id-zero-500',
      /for all 2 requests in which `categoryId` is 0, and for no other request\.$/,
    ],
    [
      'id-through-double-2-53',
      /^Broken: createPet gives each item a unique `id`\. .*, received 9007/,
    ],
    ['name-trimmed', /^`name` loses leading or trailing spaces: /],
    ['name-nfc', /^`name` has its characters normalised: /],
    ['name-cut-255', /^`name` is cut: /],
    ['name-in-capitals-list', /^`name` has the case of its letters changed: /],
    ['name-controls-dropped', /^`name` has its control characters changed: /],
    ['name-over-1000-500', /in which `name` is longer than 1000 characters, and for no other/],
    ['status-available-list', /^`status` is not returned as sent: .*"available" for "sold"\.$/],
    ['headers-on-success-only', /^All \d+ error responses lack X-RateLimit-Limit, X-RateLimit-R/],
    ['together-one-answer', /^Broken: createPet returns `name` as it was sent\. Expected `name` /],
  ];

  test.for(rows)('%s', async ([id, sentence]) => {
    const { breaks, behaviour } = mutantOf(id);
    const { causes } = await judgeParts(behaviour);
    expect(causes.map((cause) => cause.sentence)).toEqual([expect.stringMatching(sentence)]);
    expect(breaks).toContain(causes[0]?.findings[0].requirement.id);
  });
});

test('crashes of two operations for two reasons are two causes', async () => {
  const { causes } = await judgeParts(() => ({
    ...mutantOf('name-nul-500').behaviour(),
    ...mutantOf('list-fails-on-stored-text').behaviour(),
  }));
  expect(causes.map((cause) => cause.sentence)).toEqual([
    expect.stringMatching(/^createPet returns 500 .* in which `name` contains a NUL, and for no/),
    expect.stringMatching(/^listPets returns 500 .* for \d+ of \d+ valid requests\.$/),
  ]);
});

describe('a generated fault is one cause, described as such', async () => {
  const correct = await startServer(petstore, undefined);
  const workshop = new FaultContext(petstore, correct.mock.keys[0]?.key ?? '');
  const mutants = generateMutants(petstore, workshop);

  test.for<[id: string, fault: string, sentence: RegExp]>([
    ['listPets/auth.missing', '', /^listPets accepts the only request without a key, and no other/],
    [
      'listPets/status.200',
      '201',
      /^listPets returns 201 instead of 200 for all \d+ valid requests/,
    ],
    ['listPets/robustness.no-server-error', 'valid', /500 \(.*\) for all \d+ valid requests\.$/],
    ['getPet/state.read.status', 'leaves', /^`status` is not returned: /],
    [
      'getPet/response.404.header.X-RateLimit-Limit',
      'leaves',
      /^All 3 getPet 404 responses lack X-RateLimit-Limit\.$/,
    ],
    [
      '*/rate-limit.reset-plausible',
      'hour',
      /^Broken: Reset is .* Expected a Unix time in s.*, received \d+, \d+ seconds in the past/,
    ],
    [
      '*/rate-limit.reset-plausible',
      'milliseconds',
      /^Broken: Reset is .* Expected a Unix time in s.*, received \d{13}, \d+ seconds ahead/,
    ],
    [
      'getPet/response.200.header.X-RateLimit-Reset',
      'soon',
      / X-RateLimit-Reset must be a number, not the string "soon"/,
    ],
    [
      '*/rate-limit.plan',
      '',
      /^Broken: Limit is the limit .* Expected X-RateLimit-Limit 60 or 1000, .*, received 67\.$/,
    ],
    [
      'listPets/parameter.limit.bound',
      '',
      /^Broken: listPets never returns more items than limit allows\. Expected at most .*, received /,
    ],
    [
      'listPets/state.listed',
      'leaves added',
      /^Broken: An item added by createPet is in a list .* Expected an item .*, received \d+ items without it/,
    ],
  ])('%s: %s', async ([id, text, sentence]) => {
    const mutant = mutants.find(
      ({ requirement, fault }) => requirement.id === id && fault.includes(text),
    );
    const server = await startServer(petstore, workshop, { layer: mutant?.layer?.() });
    const { verdicts, exchanges } = await server.judge({ seed: 1, requests: 60, shrink: 0 });
    const causes = causesOf(petstore, verdicts, exchanges);
    expect(causes.map((cause) => cause.sentence)).toEqual([expect.stringMatching(sentence)]);
    expect(causes[0]?.findings[0].requirement.id).toBe(id);
  });
});

describe('a service that validates nothing', () => {
  const answer = (text: string): Parts => ({
    finish: (wire) => ({
      ...wire,
      status: 200,
      headers: { 'content-type': 'application/json' },
      bytes: new TextEncoder().encode(text),
    }),
  });

  test('is one cause each for its status, headers and bodies', async () => {
    const { report, causes } = await judgeParts(() => answer('{}'));
    const count = report.exchanges.length;
    expect(causes.map(({ sentence }) => sentence)).toEqual([
      `All ${count} responses have the status 200, whatever is expected.`,
      expect.stringContaining(
        'differ from the document: the body must be an array, not an object.',
      ),
      expect.stringContaining('responses with 200 lack X-RateLimit-Limit, '),
    ]);
    expect(causes[0]?.exchanges).toHaveLength(count);
  });

  test('lists no failure under a cause that names another operation', async () => {
    const { finish } = answer('{}');
    const { causes } = await judgeParts(() => ({
      finish: (wire, call) => (call.method === 'POST' ? (finish?.(wire, call) ?? wire) : wire),
    }));
    const [cause] = causes.filter(({ sentence }) => sentence.startsWith('createPet accepts all'));
    const operations = cause?.findings.map(({ requirement }) => requirement.operation);
    expect(new Set(operations)).toEqual(new Set(['createPet']));
  });
});

describe('the causes of a report', () => {
  test('contain each failure once', async () => {
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

  test('begin with crashes, and list writes before reads', async () => {
    const crash = mutantOf('list-500-pending').behaviour();
    const read = mutantOf('get-again-rounded').behaviour();
    const written = mutantOf('name-trimmed').behaviour();
    const { causes } = await judgeParts(() => ({ ...read, ...written, ...crash }));
    expect(causes.map(({ findings: [first] }) => first.requirement.operation)).toEqual([
      'listPets',
      'createPet',
      'getPet',
    ]);
  });

  test('list a requirement twice if it fails for two reasons', async () => {
    const { causes } = await judgeParts(() => ({
      ...mutantOf('name-number-kept').behaviour(),
      finish: (wire, call) =>
        /"name":null/.test(new TextDecoder().decode(call.body)) ? { ...wire, status: 500 } : wire,
    }));
    const id = 'createPet/request.body.name.type';
    expect(causes.map(({ kind }) => kind)).toEqual(['crash', 'requirement']);
    const some = expect.arrayContaining([id]);
    expect(causes.map(idsOf)).toEqual([some, some]);
  });
});
