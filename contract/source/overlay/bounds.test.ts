import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { documentLimits } from '../../limits/index.ts';
import { isJsonArray, type JsonObject } from '../../json/value.ts';
import { loadContract } from '../../load.ts';
import { documentOf, times } from '../../testing/hostile/hostile-document.ts';

/** The document as these actions leave it, and the errors, of which each is at its action. */
async function load(actions: readonly object[], extension: unknown = []) {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'o.json');
  writeFileSync(file, JSON.stringify({ overlay: '1.0.0', actions }));
  const { document, diagnostics, operations } = await loadContract(
    { text: JSON.stringify(documentOf({}, { 'x-a': extension })) },
    { overlays: [file] },
  );
  expect(operations.map(({ path }) => path)).toEqual(['/good']);
  const errors = diagnostics.filter(({ level }) => level === 'error');
  return { document, errors: errors.map(({ pointer, reason }) => `${pointer} ${reason}`) };
}

function lengthOf(document: JsonObject): number {
  const list = document['x-a'];
  return isJsonArray(list) ? list.length : -1;
}

test('a target has up to documentLimits.overlayTarget', async () => {
  const { most } = documentLimits.overlayTarget;
  const target = (length: number): string => `$['${'a'.repeat(length - 5)}']`;
  expect((await load([{ target: target(most), remove: true }])).errors).toEqual([]);
  await expect(load([{ target: target(most + 1), remove: true }])).rejects.toThrow(
    'o.json#/actions/0/target: line 1, column 32: has 10001 characters, at most 10000 are read',
  );
  await expect(load([{ target: `$[?${'!'.repeat(most - 6)}@]`, remove: true }])).rejects.toThrow(
    'is nested too deeply',
  );
});

test('an action that takes more than documentLimits.overlaySteps is left out, and those after it', async () => {
  const wide = times(2_000, () => ({ b: [1, 2, 3] }));
  const harmless = { target: "$['x-a'][0]", remove: true };
  const hostile = { target: '$..[?count($..*) > 3]', update: { c: 1 } };
  const { most } = documentLimits.overlaySteps;
  const reason = `takes, with the targets before it, more than the ${most} steps that are taken`;
  const { document, errors } = await load([harmless, hostile, harmless], wide);
  expect(lengthOf(document)).toBe(1_999);
  expect(errors).toEqual([1, 2].map((at) => `#/actions/${at}/target ${reason}`));
  expect((await load([harmless, harmless], wide)).errors).toEqual([]);
});

test('overlays add up to documentLimits.overlayValues', async () => {
  const { most } = documentLimits.overlayValues;
  const half = { target: "$['x-a'][0,1]", update: { b: times(most / 4 - 3, () => 1) } };
  const one = { target: "$['x-a']", update: [1] };
  const { document, errors } = await load([half, half, one], [{}, {}]);
  expect(errors).toEqual([]);
  expect(lengthOf(document)).toBe(3);
  const more = await load([half, half, one, one, one, one], [{}, {}]);
  expect(lengthOf(more.document)).toBe(4);
  expect(more.errors).toEqual([
    '#/actions/4/target would add 200002 values, and 200000 are the most',
    '#/actions/5/target would add 200002 values, and 200000 are the most',
  ]);
});

test('overlays add up to documentLimits.overlayText', async () => {
  const targets = 64;
  const { most } = documentLimits.overlayText;
  const add = (length: number) =>
    load(
      [{ target: "$['x-a'][*]", update: 'x'.repeat(length) }],
      times(targets, () => []),
    );
  expect((await add(most / targets)).errors).toEqual([]);
  expect((await add(most / targets + 1)).errors).toEqual([
    '#/actions/0/target would add 67108928 characters, and 67108864 are the most',
  ]);
});

test('overlays nest values as deep as a document may have them, and give no more members', async () => {
  const deep = { target: "$..[?@['x-1'] && !@['x-1']['x-1']]", update: { 'x-1': { 'x-1': {} } } };
  const { errors } = await load(
    times(documentLimits.depth.most + 10, () => deep),
    { 'x-1': {} },
  );
  expect(errors[0]).toMatch(/would nest values 501 levels deep, and 500 are the most$/);
  const { most } = documentLimits.members;
  const wide = { target: "$['x-a']", update: times(most, () => 1) };
  expect((await load([wide])).errors).toEqual([]);
  expect((await load([wide], [1])).errors).toEqual([
    '#/x-a it has 100001 items, at most 100000 are read',
  ]);
});
