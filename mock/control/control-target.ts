import type { Contract } from '../../contract/contract.ts';
import { parsePathTemplate } from '../http/path-template.ts';

/** Paths outside of `/_mock/`, for people and tools that know only the origin of the mock. */
const rootTarget = /^\/(?:openapi\.(?:yaml|json)|favicon\.ico)?(?:\?|$)/;

/** True for a request to the control interface. Paths of the document take precedence. */
export function isControlTarget(
  target: string,
  contract: Pick<Contract, 'basePath' | 'operations'>,
): boolean {
  if (target.startsWith('/_mock'))
    return /^\/_mock(?:[/?]|$)/.test(target) && !isInDocument(target, contract);
  return rootTarget.test(target) && !hasPath(target.split('?', 1)[0] ?? '', contract);
}

/** The target below `/_mock` for one at the root of the origin. */
export function controlPathOf(target: string): string {
  const [path = '', ...query] = target.split('?');
  return path === '/' || path === '/_mock' ? ['/_mock/', ...query].join('?') : target;
}

function isInDocument(target: string, { basePath }: Pick<Contract, 'basePath'>): boolean {
  return basePath.startsWith('/_mock/') && target.startsWith(`${basePath}/`);
}

/** The document has a path for it; `/{name}` matches any single segment. */
function hasPath(
  path: string,
  { basePath, operations }: Pick<Contract, 'basePath' | 'operations'>,
): boolean {
  return operations.some(
    (operation) => parsePathTemplate(operation.path, basePath).match(path) !== undefined,
  );
}
