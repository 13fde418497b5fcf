import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../cli/package/package-root.ts';
import { composeBill } from '../supply/bill.ts';
import { allowedLicences, listForeignLicences } from '../supply/licences.ts';
import {
  type ShippedPackage,
  findDependency,
  loadShippedPackages,
} from '../supply/shipped-packages.ts';
import { joinedPackages } from './joined-packages.ts';
import { renderNotices } from './notices.ts';
import { listShippedPackages, renderBill } from './package-build.ts';

/** The schema of CycloneDX 1.6, with those of SPDX licences and of signatures that it refers to. */
const schemaOf = (name: string): object =>
  JSON.parse(
    readFileSync(
      packageFile(
        `node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`,
      ),
      'utf8',
    ),
  );
const ajv = new Ajv({ strict: false });
for (const name of ['spdx', 'jsf-0.82'])
  ajv.addSchema(schemaOf(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
addFormats.default(ajv);
for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
const isBill = ajv.compile(schemaOf('bom-1.6'));

const own = { name: 'own', version: '1.0.0', licence: 'MIT' };
const make = (
  place: string,
  dependencies: readonly string[] = [],
  more: Partial<ShippedPackage> = {},
): ShippedPackage => ({
  name: place.replace(/^.*node_modules\//, ''),
  version: '1.0.0',
  licence: 'MIT',
  place,
  integrity: `sha512-${'A'.repeat(86)}==`,
  dependencies,
  shipping: 'joined into dist',
  ...more,
});

describe('the bill of materials', () => {
  let packages: readonly ShippedPackage[] = [];
  beforeAll(async () => {
    packages = await listShippedPackages();
  }, 120_000);

  test('is one of CycloneDX 1.6, and the same each time', async () => {
    const text = await renderBill(packages);
    isBill(JSON.parse(text));
    expect(isBill.errors).toBe(null);
    expect(await renderBill(packages)).toBe(text);
    expect(text).not.toMatch(/timestamp|serialNumber/);
  });

  test('names what is joined, copied and installed, and what these need of it', () => {
    const names = (shipping: ShippedPackage['shipping']): readonly string[] =>
      packages.filter((each) => each.shipping === shipping).map(({ name }) => name);
    expect(names('installed beside')).toEqual(['undici']);
    expect(names('copied into dist')).toEqual(['swagger-ui-dist']);
    // Types alone of one of them are used, so nothing of it is joined.
    const joined = joinedPackages.filter((name) => name !== 'openapi-types');
    expect(names('joined into dist')).toEqual(expect.arrayContaining(joined));
    expect(names('joined into dist')).toContain('fast-uri');
  });

  test('has every package under a licence that is allowed, and each of these is needed', () => {
    expect(listForeignLicences(packages)).toEqual([]);
    const used = new Set(packages.map(({ licence }) => licence));
    expect(allowedLicences.filter((licence) => !used.has(licence))).toEqual([]);
  });

  test('has the SHA-512 of the lock file, as hexadecimal digits', async () => {
    const lock: { packages: Record<string, { integrity?: string }> } = JSON.parse(
      readFileSync(packageFile('package-lock.json'), 'utf8'),
    );
    const base64 = (lock.packages['node_modules/undici']?.integrity ?? '').replace('sha512-', '');
    expect(await renderBill(packages)).toContain(Buffer.from(base64, 'base64').toString('hex'));
    expect(base64).toHaveLength(88);
  });

  test('is refused for a licence that is not allowed, or for none', async () => {
    const foreign = [make('node_modules/a', [], { licence: 'GPL-3.0-only' })];
    await expect(renderBill(foreign)).rejects.toThrow(
      'a 1.0.0 (GPL-3.0-only) cannot be shipped: licences.ts does not allow it.',
    );
    await expect(renderBill([make('node_modules/a', [], { licence: '' })])).rejects.toThrow(
      'a 1.0.0 (no licence)',
    );
  });

  test('would not be one of CycloneDX with an identifier that SPDX does not have', () => {
    isBill(composeBill(own, [make('node_modules/a', [], { licence: 'Mine' })]));
    expect(isBill.errors).not.toBe(null);
  });
});

test('a package that the lock file does not pin cannot be shipped', async () => {
  const module = packageFile('node_modules/vitest/index.js');
  expect(await loadShippedPackages([module])).toContainEqual(
    expect.objectContaining({ name: 'vitest', shipping: 'joined into dist' }),
  );
  const unpinned = packageFile('node_modules/petstore-contract-node/a.js');
  await expect(loadShippedPackages([unpinned])).rejects.toThrow(
    'node_modules/petstore-contract-node is not what the lock file pins. Run `npm ci`.',
  );
});

test('a package that nobody named is not joined', async () => {
  await expect(renderNotices([make('node_modules/unnamed')])).rejects.toThrow(
    'unnamed would be joined: joined-packages.ts does not say so.',
  );
});

test('a dependency is the nearest package of its name', () => {
  const packages = [
    make('node_modules/a', ['b']),
    make('node_modules/a/node_modules/b', [], { version: '2.0.0' }),
    make('node_modules/b', ['c']),
    make('node_modules/@s/a', ['b', 'a']),
  ];
  const find = (place: string, name: string): string | undefined =>
    findDependency(packages, { place }, name)?.place;
  expect(find('node_modules/a', 'b')).toBe('node_modules/a/node_modules/b');
  expect(find('node_modules/a/node_modules/b', 'a')).toBe('node_modules/a');
  expect(find('node_modules/@s/a', 'b')).toBe('node_modules/b');
  expect(find('node_modules/b', 'c')).toBe(undefined);
  expect(composeBill(own, packages)['dependencies']).toEqual([
    { ref: 'pkg:npm/own@1.0.0', dependsOn: ['pkg:npm/%40s/a@1.0.0'] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0'] },
    { ref: 'pkg:npm/b@2.0.0', dependsOn: [] },
    { ref: 'pkg:npm/b@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/%40s/a@1.0.0', dependsOn: ['pkg:npm/b@1.0.0', 'pkg:npm/a@1.0.0'] },
  ]);
});
