/** Takes the place of `control.ts` where there is no Node: the mock answers 404 at these addresses. */
export function openControl(): Promise<undefined> {
  return Promise.resolve(undefined);
}
