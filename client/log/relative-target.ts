/**
 * Path and query relative to the base address; what does not lie under it begins with `/..` (RFC
 * 3986 section 5.2.4).
 */
export function relativeTarget(target: string, basePath: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = local.startsWith(basePath) ? local.slice(basePath.length) : undefined;
  return rest !== undefined && /^(?:[/?]|$)/.test(rest)
    ? rest
    : `${'/..'.repeat(basePath.split('/').length - 1)}${local}`;
}
