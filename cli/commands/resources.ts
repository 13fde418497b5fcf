import {
  type Contract,
  findPageParameters,
  type InferredResource,
  largest,
  membersOf,
  type Operation,
} from '../../contract/index.ts';
import { joinShown, show, showJson, showLine, type VisibleText } from '../../page/view/visible.ts';
import { createCommand } from '../options/command.ts';
import { type CommandForm, documentFlags } from '../options/flags.ts';
import { loadChosenContract } from '../package/bundled.ts';

const form = {
  name: 'resources',
  takes: '<openapi.yaml> [options]',
  about: [
    'Shows which collections of items the mock finds in an OpenAPI document: the role of each operation and the evidence for it, where items and ids are in responses, and which operations have no role and why. x-resource in the document takes precedence.',
  ],
  examples: [['my.yaml', 'Show the collections of a document.']],
  page: 'resources.md',
  flags: { ...documentFlags, json: { help: 'Print JSON.' } },
  exits: '0 shown, 2 the document cannot be read',
  readsForeignFiles: true,
} satisfies CommandForm;

/** `petstore resources`: what is inferred of a document, with the evidence. */
export const runResources = createCommand(form, async ({ values, words }, { stdout }) => {
  const description = describeResources(await loadChosenContract(words[0], values));
  stdout.write(values.json ? show`${showJson(description, 2)}\n` : renderResources(description));
  return 0;
});

/** Describes what was inferred, as plain data: also what was not, and why. */
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
    /** The suite tests servers against it: list, item path and schemas leave no doubt. */
    certain: certain !== undefined,
    /** Why it is not certain, or what of it is not: a sentence each. */
    doubts,
    /** Ids that nobody gave are not found; else items of any id are made up. */
    closed: isClosed,
    idParameter: idParameter?.name,
    parents,
    paging: pagingOf(resource),
    operations: resource.operations.map(({ operation, role, weight, evidence }) => {
      const { status, view } = resource.success(operation);
      return {
        operation: nameOf(operation),
        role,
        weight,
        status,
        /** Where the item, or the array of items, is in the response; undefined if it has none. */
        place: view && placeText(view.place, view.isList),
        idMember: view?.idMember,
        evidence,
      };
    }),
  };
}

function pagingOf({ operations, success }: InferredResource): readonly string[] {
  const list = operations.find(({ role }) => role === 'list')?.operation;
  if (list === undefined) return [];
  const { view } = success(list);
  const members = view === undefined ? undefined : membersOf(view.item);
  const { size, offset, page, cursor } = findPageParameters(
    list,
    (name) => members?.has(name) === true,
  );
  return [size, offset, page, cursor].flatMap((parameter) => parameter?.name ?? []);
}

function placeText(place: readonly string[], isList: boolean): string {
  return `${place.length === 0 ? 'body' : place.join('.')}${isList ? '[]' : ''}`;
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function reasonFor({ method, path }: Operation): string {
  if (method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE')
    return `${method} has no role in a collection`;
  return /\{[^{}]*\}/.test(path)
    ? 'no item path leads here'
    : 'it has no item path below it, and not both GET and POST';
}

/** The description for people: a block for each resource, a line for each operation and its evidence. */
function renderResources({
  resources,
  notInferred,
}: ReturnType<typeof describeResources>): VisibleText {
  const blocks = resources.map(renderResource);
  const rest = notInferred.map(({ operation, reason }) => showLine(`  ${operation}: ${reason}`));
  const none = resources.length === 0 ? [show`No collection of items was found.`] : [];
  const left = rest.length === 0 ? [] : [joinShown([show`Without a role`, ...rest], '\n')];
  return show`${joinShown([...none, ...blocks, ...left], '\n\n')}\n`;
}

function renderResource(resource: ReturnType<typeof describe>): VisibleText {
  const { path, itemPath, idParameter, certain, doubts, single, closed } = resource;
  const { parents, paging, operations } = resource;
  const items =
    itemPath === undefined ? 'no item path' : `items at ${itemPath}, named by ${idParameter}`;
  const others = closed ? 'an unknown id is not found' : 'items with unknown ids are generated';
  const facts = [
    single ? 'one item, at this path' : items,
    ...(parents.length > 0 ? [`within ${parents.join(', ')}`] : []),
    certain ? 'certain: used by the mock and the suite' : 'inferred: used by the mock only',
    ...doubts.map((doubt) => `not certain: ${doubt}`),
    ...(single ? [] : [others]),
    ...(paging.length > 0 ? [`paged by ${paging.join(', ')}`] : []),
  ];
  const width = largest(
    operations.map(({ operation }) => operation.length),
    0,
  );
  const rows = operations.flatMap(
    ({ operation, role, weight, status, place, idMember, evidence }) => {
      const shown = place === undefined ? 'shows no item' : `shows ${place}`;
      const id = idMember === undefined ? '' : `, id ${idMember}`;
      return [
        `  ${role.padEnd(8)} ${operation.padEnd(width)} ${weight.toFixed(2)}  ${status} ${shown}${id}`,
        ...evidence.map(
          (one) => `             ${one.weight < 0 ? '' : '+'}${one.weight.toFixed(2)} ${one.text}`,
        ),
      ];
    },
  );
  const lines = [path, ...facts.map((fact) => `  ${fact}`), ...rows];
  return joinShown(lines.map(showLine), '\n');
}
