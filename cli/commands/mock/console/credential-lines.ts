import { type Contract, isCredential, renderCredential } from '../../../../contract/index.ts';

/** How a key is shown by each scheme that operations of a document demand: `X-Api-Key: demo`. */
export function renderCredentialLines({ operations }: Contract, key: string): readonly string[] {
  const schemes = operations.flatMap(({ security }) => security.flat().filter(isCredential));
  const fields = schemes.flatMap((scheme) => renderCredential(scheme, key) ?? []);
  const lines = fields.map(({ in: place, name, value }) => {
    if (place === 'query') return `  ?${encodeURIComponent(name)}=${value}`;
    return place === 'cookie' ? `  Cookie: ${name}=${value}` : `  ${name}: ${value}`;
  });
  return [...new Set(lines)];
}
