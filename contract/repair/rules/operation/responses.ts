import { isJsonObject } from '../../../json/value.ts';
import { removeMember, renameMember, setMember } from '../../../json/edit.ts';
import { type Rule, setAside, warning } from '../../base/repair.ts';

const known = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

/** Names of responses that are no status. */
export const repairResponses: Rule = (responses, place, repair) => {
  if (responses['$ref'] !== undefined) return;
  for (const name of Object.keys(responses)) {
    if (name.startsWith('x-') || known.test(name)) continue;
    const at = { parent: place, token: name };
    const read = readStatus(name);
    if (read === undefined || responses[read] !== undefined) {
      const reason = `${name} is no status of a response`;
      repair.report(at, setAside(reason, 'Write a status such as 200 or 4XX, or default.'));
      removeMember(responses, name);
      continue;
    }
    repair.report(at, warning(`${name} is no status`, `Write ${read}; it is read so.`));
    const response = responses[name];
    if (typeof response === 'string') setMember(responses, name, { description: response });
    repair.keepOrigin(responses[name], at);
    renameMember(responses, name, read);
  }
};

/** `4xx`, `Default`, `200 OK`, `HTTP 404`, `2**`. */
function readStatus(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === 'default') return 'default';
  const [status] = /(?<![\da-z])[1-5](?:\d\d|xx|\*\*|__)(?![\da-z])/.exec(lower) ?? [];
  return status?.replaceAll(/[x*_]/g, 'X');
}

/** An operation without a response that has a status. */
export const repairOperation: Rule = (operation, place, repair) => {
  const { responses } = operation;
  if (responses !== undefined && responses !== null && !isEmpty(responses)) return;
  const remedy = 'Describe at least one; 200 without a body is taken.';
  repair.report(place, warning('the operation has no response', remedy));
  setMember(operation, 'responses', { 200: { description: '' } });
};

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return true;
  return !Object.keys(value).some(
    (name) =>
      name === '$ref' ||
      (!name.startsWith('x-') && (known.test(name) || readStatus(name) !== undefined)),
  );
}
