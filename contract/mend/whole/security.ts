import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { keepItems, removeMember } from '../base/edit.ts';
import { type Mending, setAside } from '../base/mending.ts';
import type { Place } from '../base/place.ts';
import { listOperations } from './operations.ts';

/** Requirements of security schemes that the document does not describe. */
export function mendSecurity(mending: Mending): void {
  mendRequirements(mending, mending.document, undefined);
  for (const { operation, place } of listOperations(mending))
    mendRequirements(mending, operation, place);
}

function mendRequirements(mending: Mending, holder: JsonObject, place: Place | undefined): void {
  const { security } = holder;
  if (!isJsonArray(security)) return;
  const above = { parent: place, token: 'security' };
  const kept = security.filter((requirement, index) => {
    const at = { parent: above, token: index };
    const missing = isJsonObject(requirement)
      ? Object.keys(requirement).filter((name) => !hasScheme(mending, name))
      : [];
    for (const name of missing) {
      const reason = `there is no security scheme ${name}`;
      const remedy =
        'Describe it in components.securitySchemes; until then this way in is left out.';
      mending.report({ parent: at, token: name }, setAside(reason, remedy));
    }
    return missing.length === 0;
  });
  if (kept.length === security.length) return;
  for (const [index, requirement] of security.entries())
    mending.keepOrigin(requirement, { parent: above, token: index });
  keepItems(security, kept);
  if (kept.length === 0 && place === undefined) removeMember(holder, 'security');
}

function hasScheme({ document }: Mending, name: string): boolean {
  const { components } = document;
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined;
  return isJsonObject(schemes) && Object.hasOwn(schemes, name) && !name.startsWith('x-');
}
