import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { keepItems, removeMember } from '../../json/edit.ts';
import { type Repair, setAside } from '../base/repair.ts';
import type { Place } from '../base/place.ts';
import { listOperations } from './operations.ts';

/** Requirements of security schemes that the document does not describe. */
export function repairSecurity(repair: Repair): void {
  repairRequirements(repair, repair.document, undefined);
  for (const { operation, place } of listOperations(repair))
    repairRequirements(repair, operation, place);
}

function repairRequirements(repair: Repair, holder: JsonObject, place: Place | undefined): void {
  const { security } = holder;
  if (!isJsonArray(security)) return;
  const above = { parent: place, token: 'security' };
  const kept = security.filter((requirement, index) => {
    const at = { parent: above, token: index };
    const missing = isJsonObject(requirement)
      ? Object.keys(requirement).filter((name) => !hasScheme(repair, name))
      : [];
    for (const name of missing) {
      const reason = `there is no security scheme ${name}`;
      const remedy =
        'Describe it in components.securitySchemes; until then this way in is left out.';
      repair.report({ parent: at, token: name }, setAside(reason, remedy));
    }
    return missing.length === 0;
  });
  if (kept.length === security.length) return;
  for (const [index, requirement] of security.entries())
    repair.keepOrigin(requirement, { parent: above, token: index });
  keepItems(security, kept);
  if (kept.length === 0 && place === undefined) removeMember(holder, 'security');
}

function hasScheme({ document }: Repair, name: string): boolean {
  const { components } = document;
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined;
  return isJsonObject(schemes) && Object.hasOwn(schemes, name) && !name.startsWith('x-');
}
