import { type Contract, type Operation, nearestName } from '../../../contract/index.ts';
import { queryPairs } from '../../http/query.ts';
import { objectShapes } from '../../operation/request/parameter-source.ts';
import type { JournalEntry } from '../../sandbox/journal-entry.ts';

/** More are not named. */
const mostNames = 3;

/** Which names of a query an operation does not have, and which were meant. */
export function explainQuery(entry: JournalEntry, contract: Contract): string | undefined {
  const operation = contract.operations.find(({ id }) => id === entry.operation);
  const names = operation === undefined ? [] : [...new Set(namesOf(entry))];
  if (operation === undefined || names.length === 0) return undefined;
  const known = knownNames(operation, contract);
  if (known === 'any') return undefined;
  const unknown = names.filter(
    (name) => !known.has(name) && !known.has(name.split('[', 1)[0] ?? ''),
  );
  const told = unknown.slice(0, mostNames).map((name) => explainName(name, operation));
  const more = unknown.length - told.length;
  if (told.length === 0) return undefined;
  return more > 0 ? `${told.join(' ')} And ${more} more.` : told.join(' ');
}

function explainName(name: string, { id, parameters }: Operation): string {
  const all = parameters.filter((one) => one.in === 'query').map((one) => one.name);
  const near = nearestName(name, all);
  if (near !== undefined) return `Unknown query parameter ${name}; did you mean ${near}?`;
  return `Unknown query parameter ${name}; ${id} has ${all.length === 0 ? 'none' : all.join(', ')}.`;
}

/** The names in the query of a request; of one that was cut off, the whole ones. */
function namesOf({ target, clues }: JournalEntry): readonly string[] {
  if (clues?.queryNames !== undefined) return clues.queryNames;
  const mark = target.indexOf('?');
  if (mark === -1) return [];
  const query = target.slice(mark + 1);
  const whole = query.endsWith('...') ? query.slice(0, query.lastIndexOf('&')) : query;
  return queryPairs(whole).map(({ name }) => name);
}

/** Names that stand for something in the query of an operation; `any` where every name may. */
function knownNames(operation: Operation, { operations }: Contract): ReadonlySet<string> | 'any' {
  const known = new Set<string>();
  const schemes = operations.flatMap(({ security }) => security.flat());
  for (const scheme of schemes)
    if (scheme.kind === 'api-key' && scheme.in === 'query') known.add(scheme.name);
  for (const { name } of queryPairs(operation.path.split('?')[1] ?? '')) known.add(name);
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query') continue;
    known.add(parameter.name);
    const isSpread = parameter.explode && parameter.style !== 'deepObject';
    for (const { properties, additional } of isSpread ? objectShapes(parameter.schema) : []) {
      if (additional !== false) return 'any';
      for (const name of properties.keys()) known.add(name);
    }
  }
  return known;
}
