import { tagPattern } from '../generate/tag.ts';
import type { Contract } from '../../contract/contract.ts';
import { valueAt, withValueAt } from '../../contract/json/place.ts';
import { type JsonValue, isJsonObject, renderJson } from '../../contract/json/value.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { PetstoreError } from '../../contract/error/petstore-error.ts';
import { defined } from '../../contract/list/defined.ts';
import { addAll } from '../../contract/list/list.ts';
import {
  answeredItems,
  type Counterexample,
  type CounterexampleStep,
  type ItemReference,
} from './counterexample.ts';
import { schemaAt } from '../../contract/resource/item-view.ts';
import { type Path, withPathId } from '../probes/requests.ts';
import { readJson, type Exchange } from '../transport/exchange.ts';
import type { Request, Session } from '../transport/session.ts';
import { readTemplate } from '../generate/template.ts';
import { idOf, itemResourceOf, resourceNamedBy } from '../judge/trace/trace.ts';
import { operationOf } from '../transport/target.ts';

/** How a counterexample is sent. */
export interface SendOptions {
  /** Returns a tag that no other request has, for each tag in its texts. */
  readonly nextTag: () => string;
  /** Records that exist on this target, by the member that refers to them. */
  readonly references: ReadonlyMap<string, JsonValue>;
}

/**
 * Sends the requests of a counterexample in order, with the identifiers of the new responses. Ends
 * early if a later step needs a response that did not come.
 * @throws {PetstoreError} if the counterexample does not fit the contract
 */
export async function sendCounterexample(
  { steps, tag }: Counterexample,
  session: Session,
  options: SendOptions,
): Promise<readonly Exchange[]> {
  const sent: Exchange[] = [];
  const retag = createRetagging(tag, options.nextTag);
  for (const group of groupSteps(steps)) {
    const requests = group.map((step) =>
      createRequest(step, session.contract, sent, (body) =>
        adapt(retag(body), step, session.contract, options.references),
      ),
    );
    const complete = requests.filter((request) => request !== undefined);
    if (complete.length < requests.length) return sent;
    const [only] = complete;
    addAll(
      sent,
      complete.length === 1 && only
        ? [await session.send(only)]
        : await session.sendTogether(complete),
    );
  }
  return sent;
}

/** Consecutive steps of the same group are sent concurrently. */
function groupSteps(
  steps: readonly CounterexampleStep[],
): readonly (readonly CounterexampleStep[])[] {
  const groups: CounterexampleStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last !== undefined && step.group !== undefined && last[0]?.group === step.group)
      last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** The request of a step; undefined if an item that it refers to is missing. */
function createRequest(
  step: CounterexampleStep,
  contract: Contract,
  sent: readonly Exchange[],
  adaptBody: (body: string) => string,
): Request | undefined {
  const operation = operationOf(contract, step.operation);
  if (operation === undefined)
    throw new PetstoreError(
      'replay',
      `The counterexample uses ${step.operation}, which the contract does not have.`,
    );
  const path: Record<string, string> = {};
  for (const [name, value] of Object.entries(step.path ?? {})) {
    const found =
      typeof value === 'string' ? value : resolveItem(value, operation, name, contract, sent);
    if (found === undefined) return undefined;
    path[name] = found;
  }
  const { intent, query, target, method, headers, encoding, credential } = step;
  const body =
    step.body === undefined
      ? undefined
      : withNewId(adaptBody(step.body), operation, path, contract);
  const parts = { query, target, method, headers, encoding, body, credential };
  return { operation, intent, path, ...defined(parts) };
}

/** Puts the identifier of the current path into a body that has one. */
function withNewId(body: string, operation: Operation, path: Path, contract: Contract): string {
  const resource = itemResourceOf(contract, operation);
  const template = resource && readTemplate(contract, operation);
  const item = template && valueAt(readJson(body), template.place);
  if (resource === undefined || template === undefined || !isJsonObject(item)) return body;
  const id = valueAt(item, resource.idPlace);
  const isValid =
    id !== undefined && schemaAt(template.node, resource.idPlace)?.isValid(id) === true;
  return isValid ? renderJson(template.wrap(withPathId({ resource, template }, path, item))) : body;
}

function resolveItem(
  { step, item = 0 }: ItemReference,
  operation: Operation,
  parameter: string,
  contract: Contract,
  sent: readonly Exchange[],
): string | undefined {
  const resource = resourceNamedBy(contract, operation, parameter);
  const exchange = sent[step];
  const items =
    resource && exchange !== undefined ? answeredItems(contract, exchange, resource) : [];
  const found = items[Math.min(item, items.length - 1)];
  const id = found && resource !== undefined ? idOf(found, resource) : '';
  return id === '' ? undefined : id;
}

/** Replaces each old tag by a new one, equal tags by equal ones. */
function createRetagging(tag: string, nextTag: () => string): (body: string) => string {
  const fresh = new Map<string, string>();
  const renew = (old: string): string => {
    const key = old.toLowerCase();
    const known = fresh.get(key) ?? nextTag();
    fresh.set(key, known);
    return old === key ? known.toLowerCase() : known;
  };
  return (body) => (/^\w+$/.test(tag) ? body.replaceAll(tagPattern(tag), renew) : body);
}

/** Replaces references that the step relied on by records that exist here. */
function adapt(
  body: string,
  { intent, operation: id }: CounterexampleStep,
  contract: Contract,
  references: SendOptions['references'],
): string {
  const operation = operationOf(contract, id);
  const template = operation && readTemplate(contract, operation);
  if (template === undefined || intent.kind !== 'valid' || references.size === 0) return body;
  const whole = readJson(body);
  const value = valueAt(whole, template.place);
  if (whole === undefined || !isJsonObject(value)) return body;
  const changed = [...references].filter(([name]) => {
    const question = template.references.get(name);
    return question && Object.hasOwn(value, name) && !intent.mayRefuse.includes(question.id);
  });
  if (changed.length === 0) return body;
  const item = { ...value, ...Object.fromEntries(changed) };
  return renderJson(withValueAt(whole, template.place, item));
}
