import type { Contract } from '../../contract/contract.ts';
import { parsePathTemplate } from '../http/path-template.ts';

/** Paths outside of `/_mock/`, for people and tools that know only the origin of the mock. */
const rootTarget = /^\/(?:openapi\.(?:yaml|json)|favicon\.ico)?(?:\?|$)/;

/** True for a request to the control interface. Paths of the document take precedence. */
export function isControlTarget(
  target: string,
  { basePath, operations }: Pick<Contract, 'basePath' | 'operations'>,
): boolean {
  if (target.startsWith('/_mock')) {
    const isInDocument = basePath.startsWith('/_mock/') && target.startsWith(`${basePath}/`);
    return /^\/_mock(?:[/?]|$)/.test(target) && !isInDocument;
  }
  const [path = ''] = target.split('?', 1);
  // `/{name}` matches any single segment.
  return (
    rootTarget.test(target) &&
    operations.every((one) => parsePathTemplate(one.path, basePath).match(path) === undefined)
  );
}

/** The target below `/_mock` for one at the root of the origin. */
export function controlPathOf(target: string): string {
  const [path = '', ...query] = target.split('?');
  return path === '/' || path === '/_mock' ? ['/_mock/', ...query].join('?') : target;
}
