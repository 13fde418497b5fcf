import { expect, test } from 'vitest';
import { planRun } from '../../conformance/run/plan.ts';
import { createRandom } from '../../conformance/generate/random.ts';
import { findPlan } from '../../conformance/judge/trace/trace.ts';
import { nearMisses } from '../../conformance/transport/credential.ts';
import { listPlan } from './plan.ts';
import { petstore as contract } from '../../test/contract/petstore.ts';

function render(budget: number, planName: string | undefined, exhaust = false, merged = 0): string {
  const context = {
    contract,
    plan: findPlan(contract, planName),
    random: createRandom(1),
    nearMisses: nearMisses('some-key'),
  };
  const options = { requests: budget, readOnly: false, exhaust, fuzz: 0, saved: [], shrink: 6 };
  const plan = planRun(context, options, { only: new Set<string>(), skip: new Set<string>() });
  return listPlan({ ...plan, merged }, contract, planName).join('\n');
}

test('shows how many requests go where, and that the plan allows them at once', () => {
  const text = render(60, 'Free');
  expect(text).toMatch(
    /^60 requests of at most 60: 1 for existing items, 4 for concurrent additions, \d+ for edge values/,
  );
  expect(text).toContain('The plan Free allows these without a wait');
  expect(text).toContain('If something fails, up to 6 more for smaller counterexamples.');
  expect(text).toMatch(
    /Full coverage needs \d+ requests .*, some requirements may be tested less thoroughly/,
  );
  const [, total = '', parts = ''] = /^(\d+) requests of at most 60: (.*)\.$/m.exec(text) ?? [];
  const counts = parts.split(', ').map((part) => Number(/^\d+ /.exec(part)?.[0]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(total));
});

test('shows the waiting time before the run, or none if the plan is unknown', () => {
  expect(render(200, 'Free')).toContain('60 a minute: the run waits for up to 180 seconds');
  expect(render(60, 'Free', true)).toMatch(/, \d+ for the rate limit\.$/m);
  expect(render(60, undefined)).not.toMatch(/plan/i);
});

test('reports requests that test nothing more, and how many would', () => {
  const [, needed = ''] = /\(--requests (\d+)\)/.exec(render(60, 'Free')) ?? [];
  const text = render(Number(needed), 'Free');
  const [, all = ''] =
    /Left out: \d+ optional requests; --requests (\d+) sends them too\./.exec(text) ?? [];
  expect(Number(all)).toBeGreaterThan(Number(needed));
  expect(text).not.toContain('less thoroughly');
  expect(render(Number(all), 'Free')).not.toContain('optional');
});

test('the number for full coverage excludes extra requests', () => {
  const [, needed = ''] = /\(--requests (\d+)\)/.exec(render(60, 'Free')) ?? [];
  expect(render(60, 'Free', true)).toContain(`(--requests ${needed})`);
  expect(render(Number(needed), 'Free', true)).not.toContain('less thoroughly');
});

test('shows how many operations have members without a requirement of their own', () => {
  expect(render(60, undefined, false, 7)).toMatch(
    /members of bodies of 7 operations .* parts of the whole body\.$/,
  );
  expect(render(60, undefined)).not.toContain('too many');
});
