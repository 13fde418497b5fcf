import { type Contract, type Operation, nearestName } from '../../../contract/index.ts';
import { parsePreferences, readPreference } from '../../operation/request/preference.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';

/** Which preferences of a request were not followed, and why; undefined where all were. */
export function explainPreference(entry: JournalEntry, contract: Contract): string | undefined {
  const prefer = entry.clues?.prefer;
  if (prefer === undefined) return undefined;
  const sent = parsePreferences(prefer);
  const operation = contract.operations.find(({ id }) => id === entry.operation);
  const reasons = [...sent].flatMap(([name, value]) => {
    const reason = explainOne(name, value, { entry, operation, prefer });
    return reason === undefined
      ? []
      : [`Prefer: ${name}${value === '' ? '' : `=${value}`} was ignored: ${reason}.`];
  });
  return reasons.length === 0 ? undefined : reasons.join(' ');
}

interface Sent {
  readonly entry: JournalEntry;
  readonly operation: Operation | undefined;
  readonly prefer: string;
}

function explainOne(name: string, value: string, sent: Sent): string | undefined {
  const { code, wait } = readPreference({ prefer: sent.prefer }) ?? {};
  switch (name) {
    case 'wait':
      if (wait === undefined) return 'it must be a number of seconds';
      return Number(value) > wait ? `the mock waits at most ${wait} seconds` : undefined;
    case 'code':
      return code === undefined ? 'it must be a status of three digits' : explainCode(code, sent);
    case 'example':
      return explainExample(value, code, sent);
    default:
      return explainUnknownPreference(name);
  }
}

function explainUnknownPreference(name: string): string {
  const near = nearestName(name, ['code', 'example', 'wait']);
  return `the mock supports code, example and wait${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

function explainCode(code: number, { entry, operation }: Sent): string | undefined {
  if (entry.status === code || isFollowed(entry, `code=${code}`)) return undefined;
  const earlier = explainEarlier(entry, operation);
  if (earlier !== undefined || operation === undefined) return earlier;
  const statuses = operation.responses.map(({ status }) => status);
  const isThere = [`${code}`, `${Math.floor(code / 100)}XX`].some((one) => statuses.includes(one));
  return isThere ? undefined : `${operation.id} documents ${statuses.join(', ')}`;
}

function explainExample(name: string, code: number | undefined, sent: Sent): string | undefined {
  const { entry, operation } = sent;
  if (isFollowed(entry, 'example=')) return undefined;
  const earlier = explainEarlier(entry, operation);
  if (earlier !== undefined || operation === undefined) return earlier;
  const responses = operation.responses.filter(
    ({ status }) => code === undefined || status === `${code}`,
  );
  const names = responses.flatMap(({ content }) =>
    content.flatMap(({ examples }) => examples.map((one) => one.name)),
  );
  const known = [...new Set(names)].filter((one) => one !== '');
  const place = code === undefined ? operation.id : `the ${code} of ${operation.id}`;
  if (known.includes(name)) return undefined;
  return known.length === 0
    ? `${place} has no named examples`
    : `${place} has the examples ${known.join(', ')}`;
}

/** What came before the preference; undefined where nothing did. */
function explainEarlier(
  { refusal, fault }: JournalEntry,
  operation: Operation | undefined,
): string | undefined {
  if (operation === undefined) return 'the document has no operation for this path and method';
  if (fault !== undefined && refusal?.check === 'fault') return 'an injected fault came first';
  if (refusal?.check === 'rate-limit') return 'the rate limit was exceeded';
  return refusal?.check === 'credential' ? 'the key was rejected first' : undefined;
}

function isFollowed({ preferred }: JournalEntry, start: string): boolean {
  return preferred.split(', ').some((one) => one.startsWith(start));
}
