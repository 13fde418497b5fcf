import { largest } from '../../../contract/index.ts';
import { type VisibleText, joinShown, show, showLine } from '../../../view/visible.ts';
import type { ResourceDescription, ResourcesDescription } from './description.ts';

/** The description for people: a block for each resource, a line for each operation and its evidence. */
export function renderResources({ resources, notInferred }: ResourcesDescription): VisibleText {
  const blocks = resources.map(renderResource);
  const rest = notInferred.map(({ operation, reason }) => showLine(`  ${operation}: ${reason}`));
  const none = resources.length === 0 ? [show`No collection of items was found.`] : [];
  const left = rest.length === 0 ? [] : [joinShown([show`Without a role`, ...rest], '\n')];
  return show`${joinShown([...none, ...blocks, ...left], '\n\n')}\n`;
}

function renderResource(resource: ResourceDescription): VisibleText {
  const { path, certain, single, closed, parents, paging, operations } = resource;
  const others = closed ? 'an unknown id is not found' : 'an item of an unknown id is made up';
  const facts = [
    placeOf(resource),
    ...(parents.length > 0 ? [`within ${parents.join(', ')}`] : []),
    certain ? 'certain: the suite holds servers to it' : 'inferred: for the mock alone',
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

function placeOf({ single, itemPath, idParameter }: ResourceDescription): string {
  if (single) return 'one item, at this path';
  return itemPath === undefined
    ? 'no path of an item'
    : `items at ${itemPath}, named by ${idParameter}`;
}
