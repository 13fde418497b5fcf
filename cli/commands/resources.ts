import type { Contract } from '../../contract/contract.ts';
import { findPageParameters } from '../../contract/resource/list-parameters.ts';
import type { InferredResource } from '../../contract/resource/resource.ts';
import { largest } from '../../contract/list/list.ts';
import { membersOf } from '../../contract/resource/item-view.ts';
import type { Operation } from '../../contract/openapi/operation.ts';
import { successStatus } from '../../contract/openapi/response.ts';
import { joinShown, show, showJson, showLine, type VisibleText } from '../../page/view/visible.ts';
import { createCommand } from '../options/command.ts';
import { sharedFlags } from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';

/** `petstore resources`: the collections that are inferred from a document, with the evidence. */
export const runResources = createCommand(
  {
    name: 'resources',
    usage: '[<openapi.yaml>] [options]',
    operands: ['contract'],
    description: [
      'Shows which collections of items the mock finds in an OpenAPI document: the role of each operation and the evidence for it, where items and ids are in responses, and which operations have no role and why. x-resource in the document takes precedence.',
    ],
    examples: [['my.yaml', 'Show the collections of a document.']],
    page: 'resources.md',
    flags: { ...sharedFlags, json: { help: 'Print JSON.' } },
    exitCodes: ['shown'],
    readsForeignFiles: true,
  },
  async ({ values }, { stdout }) => {
    const description = describeResources(await loadChosenContract(values.contract, values));
    stdout.write(values.json ? show`${showJson(description, 2)}\n` : renderResources(description));
    return 0;
  },
);

/** What was inferred, and what was not and why, as plain data. */
function describeResources({ inferredResources, operations }: Contract) {
  const known = new Set(
    inferredResources.flatMap((resource) => resource.operations.map(({ operation }) => operation)),
  );
  return {
    resources: inferredResources.map(describe),
    notInferred: operations
      .filter((operation) => !known.has(operation))
      .map((operation) => ({ operation: nameOf(operation), reason: reasonFor(operation) })),
  };
}

function describe(resource: InferredResource) {
  const { path, itemPath, isSingle, idParameter, parents, isClosed, certain, doubts } = resource;
  return {
    path,
    itemPath,
    single: isSingle,
    /**
     * Whether the suite tests the collection on servers: list, item path and schemas are
     * unambiguous.
     */
    certain: certain !== undefined,
    /** Reasons why it is not certain, in full or in part, one sentence each. */
    doubts,
    /** Whether unknown ids get 404. Otherwise items with any id are generated. */
    closed: isClosed,
    idParameter: idParameter?.name,
    parents,
    paging: listPaging(resource),
    operations: resource.operations.map(({ operation, role, weight, evidence }) => {
      const view = resource.viewOf(operation);
      const status = successStatus(operation);
      /**
       * Location of the item, or of the array of items, in the response; undefined if it has none.
       */
      const place = view && `${view.place.join('.') || 'body'}${view.isList ? '[]' : ''}`;
      const idMember = view?.idPlace?.join('.');
      return { operation: nameOf(operation), role, weight, status, place, idMember, evidence };
    }),
  };
}

/** The parameters that page through a list. */
function listPaging({ operations, viewOf }: InferredResource): readonly string[] {
  const list = operations.find(({ role }) => role === 'list')?.operation;
  if (list === undefined) return [];
  const view = viewOf(list);
  const members = view && membersOf(view.item);
  const { size, offset, page, cursor } = findPageParameters(
    list,
    (name) => members?.has(name) === true,
  );
  return [size, offset, page, cursor].flatMap((parameter) => parameter?.name ?? []);
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function reasonFor({ method, path }: Operation): string {
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(method)) return `${method} has no role in a collection`;
  return /\{[^{}]*\}/.test(path)
    ? 'no item path leads here'
    : 'it has no item path below it, not both GET and POST, and is not a list that can be paged';
}

type Description = ReturnType<typeof describeResources>;

/** The text form: a block per resource, a line per operation, and its evidence. */
function renderResources({ resources, notInferred }: Description): VisibleText {
  const lines = resources.length === 0 ? ['No collection of items was found.', ''] : [];
  for (const resource of resources) {
    const { path, operations } = resource;
    const width = largest(operations.map(({ operation }) => operation.length));
    lines.push(path, ...listFacts(resource).map((fact) => `  ${fact}`));
    for (const { operation, role, weight, status, place, idMember, evidence } of operations) {
      const shown = place === undefined ? 'shows no item' : `shows ${place}`;
      const id = idMember === undefined ? '' : `, named by ${idMember}`;
      const name = `  ${role.padEnd(8)} ${operation.padEnd(width)}`;
      lines.push(`${name} ${weight.toFixed(2)}  ${status} ${shown}${id}`);
      for (const one of evidence) lines.push(`             +${one.weight.toFixed(2)} ${one.text}`);
    }
    lines.push('');
  }
  if (notInferred.length > 0)
    lines.push(
      'Without a role',
      ...notInferred.map(({ operation, reason }) => `  ${operation}: ${reason}`),
      '',
    );
  return joinShown(lines.map(showLine), '\n');
}

function listFacts(resource: Description['resources'][number]): readonly string[] {
  const { itemPath, idParameter, certain, doubts, single, closed, parents, paging } = resource;
  const items =
    itemPath === undefined ? 'no item path' : `items at ${itemPath}, named by ${idParameter}`;
  const facts = [single ? 'one item, at this path' : items];
  if (parents.length > 0) facts.push(`within ${parents.join(', ')}`);
  facts.push(
    certain ? 'certain: used by the mock and the suite' : 'inferred: used by the mock only',
    ...doubts.map((doubt) => `not certain: ${doubt}`),
  );
  if (!single)
    facts.push(closed ? 'an unknown id gets 404' : 'items with unknown ids are generated');
  if (paging.length > 0) facts.push(`paged by ${paging.join(', ')}`);
  return facts;
}
