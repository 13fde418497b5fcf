/** True for the addresses that a developer opens. */
export function isEntrance(path: string): boolean {
  return path === '/' || path === '/_mock/' || path === '/_mock';
}
