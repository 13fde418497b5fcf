import { renderJson, type Operation, type Resource } from '../../contract/index.ts';
import { plainBody, readTemplate, tagBody } from '../generate/valid-body.ts';
import { itemResourceOf, renderPlain, resourceOf } from '../judge/trace/trace.ts';
import { statusOf, type Exchange, type Intent } from '../transport/exchange.ts';
import type { Request } from '../transport/session.ts';
import type { Run } from './probe.ts';

/** A request, lawful with the right key: for a GET the last one served, which caches know. */
export function lawfulRequest(operation: Operation, run: Run): Omit<Request, 'intent'> {
  const served =
    operation.method === 'GET'
      ? run.session.exchanges.findLast((exchange) => isServed(exchange, operation))
      : undefined;
  if (served !== undefined) return { operation, target: served.request.target };
  const resource = resourceOf(run.contract, operation);
  const template = readTemplate(run.contract, operation);
  const references = resource && run.known.references(resource);
  const path = pathValues(operation, run);
  if (template === undefined) return { operation, path };
  const body = tagBody(template, plainBody(template, run.random), run.nextTag(), references);
  return { operation, path, body: renderJson(body) };
}

function isServed(exchange: Exchange, { id }: Operation): boolean {
  const { request, intent } = exchange;
  return request.operation === id && intent.kind === 'valid' && statusOf(exchange) === 200;
}

/** A request for a single item. */
export function itemRequest(
  operation: Operation,
  { idParameter }: Resource,
  id: string,
  intent: Intent,
): Request {
  return { operation, path: { [idParameter?.name ?? 'id']: id }, intent };
}

/** Values of the path's parameters: an item that is known to exist, else an example or 1. */
function pathValues(operation: Operation, run: Run): Readonly<Record<string, string>> {
  const resource = itemResourceOf(run.contract, operation);
  const known = resource
    ? [...run.known.added(resource).keys(), ...run.known.listed(resource).keys()][0]
    : undefined;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    parameters.map(({ name, examples }) => [
      name,
      (name === resource?.idParameter?.name ? known : undefined) ?? renderPlain(examples[0] ?? 1),
    ]),
  );
}
