import type { JsonObject } from '../../../json/value.ts';
import { setMember } from '../../../json/edit.ts';
import { type Rule, warning } from '../../base/repair.ts';
import { wordOf } from '../../../json/word.ts';

const types = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'];

/** The type of a security scheme in other words, and what its type wants and it does not say. */
export const repairSecurityScheme: Rule = (scheme, place, repair) => {
  if (scheme['$ref'] !== undefined) return;
  const read = readScheme(scheme);
  for (const [name, value] of Object.entries(read)) {
    if (scheme[name] === value) continue;
    const at = scheme[name] === undefined ? place : { parent: place, token: name };
    repair.report(
      at,
      warning(`${name} must be ${wanted(name)}`, `Write ${name}: ${value}; it is read so.`),
    );
    setMember(scheme, name, value);
  }
};

function wanted(name: string): string {
  if (name === 'type') return `one of ${types.join(', ')}`;
  if (name === 'in') return 'one of header, query, cookie';
  return name === 'scheme' ? 'a scheme of HTTP' : 'a text';
}

function readScheme(scheme: JsonObject): Readonly<Record<string, string>> {
  const { type, scheme: http, in: place, name } = scheme;
  const lower = wordOf(type).toLowerCase();
  const known = types.find((one) => one.toLowerCase() === lower.replaceAll(/[_-]/g, ''));
  if (lower === 'basic' || lower === 'bearer') return { type: 'http', scheme: lower };
  if (['jwt', 'token', 'accesstoken'].includes(lower)) return { type: 'http', scheme: 'bearer' };
  if (lower.startsWith('oauth')) return { type: 'oauth2' };
  const kind = known ?? (place !== undefined && name !== undefined ? 'apiKey' : 'http');
  if (kind === 'http') return { type: kind, scheme: typeof http === 'string' ? http : 'bearer' };
  if (kind !== 'apiKey') return { type: kind };
  const at = ['header', 'query', 'cookie'].find((one) => one === wordOf(place).toLowerCase());
  return {
    type: kind,
    in: at ?? 'header',
    name: typeof name === 'string' && name !== '' ? name : 'X-API-Key',
  };
}
