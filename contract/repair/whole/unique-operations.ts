import { removeMember } from '../../json/edit.ts';
import { type Repair, warning } from '../base/repair.ts';
import { listOperations, type PlacedOperation } from './operations.ts';

/** Operations that match the same requests, and operations of one id. */
export function repairSameOperations(repair: Repair): void {
  const routes = new Map<string, PlacedOperation>();
  const ids = new Map<string, PlacedOperation>();
  for (const placed of listOperations(repair)) {
    const { path, method, operation, place } = placed;
    const route = `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
    const rival = routes.get(route);
    if (rival !== undefined) {
      const reason = `${method.toUpperCase()} ${path} matches the same requests as ${rival.path}`;
      const remedy = 'Give it a path of its own; it serves what better fits its path parameters.';
      repair.report(place, warning(reason, remedy));
    } else routes.set(route, placed);
    const { operationId: id } = operation;
    if (typeof id !== 'string') continue;
    const twin = ids.get(id);
    if (twin === undefined) {
      ids.set(id, placed);
      continue;
    }
    const other = `${twin.method.toUpperCase()} ${twin.path}`;
    const remedy = `Give it an id of its own; it is known as ${method.toUpperCase()} ${path}.`;
    repair.report(place, warning(`operationId ${id} is also that of ${other}`, remedy));
    if (operation !== twin.operation) removeMember(operation, 'operationId');
  }
}
