import { isJsonObject } from '../../../contract/json/value.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Resource } from '../../../contract/resource/resource.ts';
import { plainBody, readTemplate } from '../../generate/valid-body.ts';
import { idOf, itemOf, readTrace } from '../../judge/trace/trace.ts';
import type { Request } from '../../transport/session.ts';
import { variantRequest, type Writer } from '../body-variant.ts';
import type { Purpose } from '../known-items.ts';
import type { Run } from '../probe.ts';

/** A resource whose single items can be asked for, changed or removed. */
export interface ItemResource extends Resource {
  readonly idParameter: NonNullable<Resource['idParameter']>;
  readonly create: Operation;
}

/** What valid bodies of an operation are made from; undefined where it takes no JSON object. */
export function readWriter(
  contract: Contract,
  resource: Resource,
  operation: Operation,
): Writer | undefined {
  const template = readTemplate(contract, operation);
  if (template?.node.shape().types.includes('object') !== true) return undefined;
  return { resource, operation, template, plain: plainBody(template) };
}

/** The path of an item that this run added, for one purpose; adds one where none is free. */
export async function ownItem(
  run: Run,
  resource: ItemResource,
  purpose: Purpose,
): Promise<string | undefined> {
  const known = run.known.own(resource, purpose);
  if (known !== undefined) return known;
  await addItem(run, resource);
  return run.known.own(resource, purpose);
}

/** Adds a plain item; its identifier, or undefined where none was added. */
export async function addItem(run: Run, resource: ItemResource): Promise<string | undefined> {
  const writer = readWriter(run.contract, resource, resource.create);
  if (writer === undefined) return undefined;
  const added = await run.session.send(variantRequest(writer, { changes: {}, exercises: [] }, run));
  const [reading] = readTrace(run.contract, [added]).readings;
  const item = reading && itemOf(reading);
  return isJsonObject(item) ? idOf(item, resource) : undefined;
}

/** A request to an item. */
export function toItem(request: Request, { idParameter }: ItemResource, id: string): Request {
  return { ...request, path: { [idParameter.name]: id } };
}
