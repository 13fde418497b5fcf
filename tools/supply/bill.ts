import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../contract/index.ts';
import { type ShippedPackage, findDependency } from './shipped-packages.ts';

/** What a bill is of. */
export interface BilledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/**
 * A bill of materials, as CycloneDX 1.6 has it. It has no date and no serial number: the same
 * packages give the same bytes.
 */
export function composeBill(own: BilledPackage, packages: readonly ShippedPackage[]): JsonObject {
  const copied = packages.filter(({ shipping }) => shipping === 'copied into dist').map(refOf);
  const needed = new Set(packages.flatMap((each) => dependenciesOf(packages, each)));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf(own) },
    components: packages.map((each) => ({
      ...componentOf(each),
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: hexOf(each.integrity) }],
      properties: [{ name: 'petstore-contract:shipping', value: each.shipping }],
    })),
    dependencies: [
      { ref: refOf(own), dependsOn: packages.map(refOf).filter((ref) => !needed.has(ref)) },
      ...packages.map((each) => ({
        ref: refOf(each),
        dependsOn: [...dependenciesOf(packages, each)],
      })),
    ],
    // Its maker joined others into it, and gives no list of them but their notices.
    compositions: copied.map((ref) => ({ aggregate: 'incomplete', assemblies: [ref] })),
  };
}

function componentOf({ name, version, licence }: BilledPackage): JsonObject {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': refOf({ name, version }),
    ...(scope === undefined ? {} : { group: scope }),
    name: rest ?? name,
    version,
    licenses: [{ license: { id: licence } }],
    purl: refOf({ name, version }),
  };
}

/** The package URL, by which a package is known in the bill: `pkg:npm/%40scope/name@1.0.0`. */
function refOf({ name, version }: Pick<BilledPackage, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function dependenciesOf(
  packages: readonly ShippedPackage[],
  each: ShippedPackage,
): readonly string[] {
  const found = each.dependencies.flatMap((name) => findDependency(packages, each, name) ?? []);
  return [...new Set(found.map(refOf))];
}

function hexOf(integrity: string): string {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}
