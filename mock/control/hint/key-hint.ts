import {
  type Contract,
  type Operation,
  isCredential,
  renderCredential,
} from '../../../contract/index.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';
import { keyPlans, keysOf } from '../../sandbox/keyring.ts';

/** Which keys there are, or how one is sent, where a request was refused for its key. */
export function explainKey(
  { refusal, credential, operation: id, clues }: JournalEntry,
  contract: Contract,
): string | undefined {
  if (refusal?.reason !== 'unauthorized') return undefined;
  const operation = contract.operations.find((one) => one.id === id);
  if (credential === 'missing') return operation && explainForm(operation, contract);
  const meant = clues?.nearKey === undefined ? '' : `Did you mean ${clues.nearKey}? `;
  return `${meant}${describeKeys(contract)}`;
}

/** How a key is shown by the first scheme of an operation that has one. */
function explainForm({ security }: Operation, contract: Contract): string | undefined {
  const scheme = security.flat().find(isCredential);
  const [first] = keysOf(contract);
  const field = scheme && first && renderCredential(scheme, first.key);
  if (field === undefined) return undefined;
  const { in: place, name, value } = field;
  if (place === 'query') return `Send the key as ?${encodeURIComponent(name)}=${value}.`;
  return place === 'cookie'
    ? `Send the key as Cookie: ${name}=${value}.`
    : `Send the key as ${name}: ${value}.`;
}

/** The keys that the mock takes. */
function describeKeys(contract: Contract): string {
  const keys = keysOf(contract).map(({ key }) => key);
  if (contract.rateLimit === undefined || contract.rateLimit.plans.length === 0)
    return `Any key works, except one that begins with "invalid" or is almost ${keys.join(', ')}.`;
  const forms = [...keyPlans(contract).keys()].map((word) => `${word}_<name>`);
  return `Valid keys: ${keys.join(', ')}, and any of the form ${forms.join(', ')}.`;
}
