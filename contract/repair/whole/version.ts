import { setMember } from '../../json/edit.ts';
import { type Repair, warning } from '../base/repair.ts';
import { wordOf } from '../../json/word.ts';

/** A version that is missing, not a text, or none that is known. */
export function repairVersion(repair: Omit<Repair, 'dialect'>): void {
  const { document, report } = repair;
  const { openapi } = document;
  const at = { parent: undefined, token: 'openapi' };
  if (openapi === undefined) {
    report(undefined, warning('openapi is missing', 'Add openapi: 3.1.0; it is read so.'));
    return setMember(document, 'openapi', '3.1.0');
  }
  const text = wordOf(openapi);
  if (/^3\.[01]\.\d+$/.test(text) && openapi === text) return;
  const known = /^3\.0\b/.test(text) ? '3.0.4' : '3.1.1';
  // Schemas of 3.2 are those of 3.1.
  if (!/^3\.2\.\d+$/.test(text))
    report(
      at,
      warning(`${JSON.stringify(openapi)} is no version`, `Write ${known}; it is read so.`),
    );
  setMember(document, 'openapi', known);
}
