import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { removeMember, setMember } from '../../json/edit.ts';
import { wordOf } from '../../json/word.ts';

const flows: ReadonlyMap<string, string> = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

/** Security definitions of 2.0, in place. */
export function convertSecurity(definitions: JsonValue | undefined): void {
  if (!isJsonObject(definitions)) return;
  for (const scheme of Object.values(definitions)) if (isJsonObject(scheme)) convertScheme(scheme);
}

function convertScheme(scheme: JsonObject): void {
  const { type, flow, scopes = {}, authorizationUrl, tokenUrl } = scheme;
  if (type === 'basic') {
    setMember(scheme, 'type', 'http');
    setMember(scheme, 'scheme', 'basic');
  }
  if (type !== 'oauth2') return;
  for (const name of ['flow', 'scopes', 'authorizationUrl', 'tokenUrl']) removeMember(scheme, name);
  const converted = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
    scopes,
  };
  setMember(scheme, 'flows', { [flows.get(wordOf(flow)) ?? 'implicit']: converted });
}
