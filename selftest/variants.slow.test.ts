import { describe, expect, test } from 'vitest';
import { choicesFromReport } from '../cli/commands/mock/like.ts';
import { packageFile } from '../cli/package/package-root.ts';
import { compareReports, type RunOptions } from '../conformance/index.ts';
import { loadContract } from '../contract/load.ts';
import { createMockJudge, differingIds } from '../test/cli/like-mock.ts';
import { rerunDifferences } from '../test/conformance/log-run.ts';
import { petstore } from '../test/contract/petstore.ts';
import { changeVariants, type Variant, variants } from './index.ts';
import { isOverNetwork, runTrial, type Trial, type TrialOptions } from './trial.ts';

/** The modes in which the suite is run. */
const runModes: readonly (readonly [mode: string, options: RunOptions])[] = [
  ['as it comes', {}],
  ['driven to the limit', { exhaust: true }],
  ['read only', { readOnly: true }],
  ['in part', { only: ['state', 'createPet'], skip: ['getPet', 'auth'] }],
  ['with eight requests', { requests: 8 }],
  ['with twice the requests', { requests: 120, seed: 7 }],
  ['without smaller counterexamples', { shrink: 0 }],
];

/** The mode for the nth subject, in turn. */
function runModeOf(nth: number): { readonly mode: string; readonly options: RunOptions } {
  const [mode, options] = runModes[nth % runModes.length] ?? ['as it comes', {}];
  return { mode, options };
}

/** How a mock differs from the server whose choices it copies. */
interface Unlike {
  readonly variants: readonly string[];
  /** Open questions, or requirements, that a comparison reports. */
  readonly differs: readonly string[];
  readonly reason: string;
}

/** Every valid variant that such a mock cannot copy, as far as the suite can see. */
const unlikeVariants: readonly Unlike[] = [
  {
    variants: ['name-at-most-50', 'name-ascii', 'name-without-edge-spaces', 'name-letters-only'],
    differs: ['name-limits'],
    reason: 'The document lists four limits on names; these are others.',
  },
  {
    variants: ['status-default-varies'],
    differs: ['status-default'],
    reason:
      'The document has one status for all pets that were added without one, not several in turn.',
  },
  {
    variants: ['paging-cursor'],
    differs: ['paging'],
    reason: 'The document lists a Link and query parameters, and no other header that leads on.',
  },
  {
    variants: ['query-refused-422'],
    differs: ['invalid-limit', 'unknown-status'],
    reason: 'The document refuses with 400.',
  },
  {
    variants: ['counting-refused-too'],
    differs: ['window-kind'],
    reason: 'One of its Resets is a second later than its window ends, which no listed kind has.',
  },
  {
    variants: ['query-refused-as-empty'],
    differs: ['invalid-limit'],
    reason: 'The document lists the empty list for an unknown status, not for an invalid limit.',
  },
  {
    variants: ['path-wrong-pet-id-422'],
    differs: ['invalid-pet-id'],
    reason: 'The document refuses with 400 or 404.',
  },
  {
    variants: ['retry-body-html', 'retry-body-other-json'],
    differs: ['rate-limit-body'],
    reason: 'The document lists an Error, nothing, and plain text.',
  },
  {
    variants: ['retry-unix-time'],
    differs: ['retry-after-format'],
    reason: 'The document lists whole seconds and dates.',
  },
  {
    variants: ['order-by-digits'],
    differs: ['list-order'],
    reason: 'The document lists the orders by id and by name, and none that holds.',
  },
  {
    variants: ['member-short-in-list'],
    differs: ['listPets: status'],
    reason: 'The document leaves open whether lists show a status; no question asks it.',
  },
  {
    variants: ['counting-not-404'],
    differs: ['counted-requests'],
    reason: 'The document counts all refused requests or none.',
  },
];

/** One of this many trials goes over the network, whatever it is about. */
const share = 20;

const judgeMock = await createMockJudge(petstore);
const unlike = new Map(
  unlikeVariants.flatMap(({ variants: ids, differs }) => ids.map((id) => [id, differs] as const)),
);
const rows = variants.map((variant, at) => ({ id: variant.id, variant, ...runModeOf(at) }));

test('the variants that no mock can copy exist', () => {
  const known = new Set(variants.map(({ id }) => id));
  expect([...unlike.keys()].filter((id) => !known.has(id))).toEqual([]);
});

test('every variant cites the sentence or standard that allows it', () => {
  const source =
    /^(What the service does|Resources|States and transitions|Endpoints|Authentication|Errors|Limits|RFC \d+ section|RFC 8259|The interface names no)/;
  expect(variants.filter(({ valid }) => !source.test(valid)).map(({ id }) => id)).toEqual([]);
});

/** Each run is looked at in three ways: nothing fails, the log reruns to its report, a like mock answers alike. */
describe('a valid variant does not fail', () => {
  test.for(rows)('$id', async ({ variant, mode, options }) => {
    const { report } = await expectValid(variant, { exhaust: false });
    if (mode === 'driven to the limit') return;
    const isSame = mode === 'as it comes';
    const trial = { requests: 60, ...options };
    const rerun = isSame ? report : (await runTrial(petstore, variant, trial)).report;
    expect(await findRerunDifferences(rerun)).toEqual([]);
  });

  test.for(rows)('$id, driven to the limit, and by a mock like it', async (row) => {
    const { id, variant, mode } = row;
    const { report } = await expectValid(variant, { exhaust: true });
    const isRerun = mode === 'driven to the limit';
    expect(isRerun ? await findRerunDifferences(report) : []).toEqual([]);
    if (!report) return;
    const { choices } = choicesFromReport(petstore, report);
    const like = await judgeMock(choices, { plan: 'Free', exhaust: true, timeout: 2000 });
    const comparison = compareReports(petstore, report, like);
    expect(differingIds(comparison)).toEqual(unlike.get(id) ?? []);
    expect(comparison.compared.questions).toBeGreaterThan(6);
  });
});

async function expectValid(variant: Variant, options: TrialOptions): Promise<Trial> {
  const isNetwork = isOverNetwork(variant) || variants.indexOf(variant) % share === 0;
  const trial = await runTrial(petstore, variant, {
    requests: 60,
    isOverNetwork: isNetwork,
    ...options,
  });
  expect(trial.broken).toBeUndefined();
  expect(trial.named).toEqual([]);
  expect(trial.unfounded).toEqual([]);
  expect(trial.requests).toBeGreaterThan(0);
  return trial;
}

async function findRerunDifferences(report: Trial['report']): Promise<readonly string[]> {
  return report ? await rerunDifferences(petstore, report) : ['no report'];
}

describe('with operations that replace, update and remove', async () => {
  const overlays = [packageFile('fixtures/changes.overlay.yaml')];
  const contract = await loadContract({ file: packageFile('openapi.yaml') }, { overlays });
  const [, plain] = changeVariants;

  test.for(changeVariants.map((variant) => ({ id: variant.id, variant })))(
    '$id does not fail',
    async ({ variant }) => {
      for (const requests of [60, 240]) {
        const options = { seed: 1, requests, exhaust: requests === 60, fuzz: 100 };
        const { named, broken, report } = await runTrial(contract, variant, options);
        expect(broken).toBeUndefined();
        expect(named).toEqual([]);
        expect(report && (await rerunDifferences(contract, report))).toEqual([]);
      }
    },
  );

  test('at 240 requests nothing is untested except the limit itself', async () => {
    const trial = plain && (await runTrial(contract, plain, { seed: 1, requests: 240 }));
    const untested = trial?.report?.verdicts.filter(
      ({ kind, requirement: { id, subject } }) =>
        kind === 'not-tested' &&
        /^(replace|update|remove)Pet\//.test(id) &&
        !(subject.kind === 'header' && subject.status === '429'),
    );
    expect(untested?.map(({ requirement }) => requirement.id)).toEqual([]);
  });

  test('values that may crash servers are sent last, and removed again', async () => {
    const trial = plain && (await runTrial(contract, plain, { seed: 1, requests: 240 }));
    // Requests that are left remove the items of the run.
    const exchanges = (trial?.report?.exchanges ?? []).filter(
      ({ intent }) => intent.kind !== 'unspecified' || intent.way !== 'removes what the run added',
    );
    const isOdd = ({ probe }: (typeof exchanges)[number]): boolean =>
      probe.startsWith('createPet/unspecified: ');
    const first = exchanges.findIndex(isOdd);
    expect(first).toBeGreaterThan(0);
    expect(exchanges.slice(first).filter((each) => !isOdd(each))).toEqual([]);
    const statuses = exchanges.slice(first).map(({ request, outcome }) => ({
      operation: request.operation,
      status: outcome.kind === 'answered' ? outcome.response.status : 0,
    }));
    const added = statuses.filter(({ status }) => status === 201);
    expect(added.length).toBeGreaterThan(0);
    expect(statuses.filter(({ operation }) => operation === 'removePet')).toEqual(
      added.map(() => ({ operation: 'removePet', status: 204 })),
    );
  });
});
