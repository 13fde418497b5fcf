/** Replaces `control.ts` where there is no Node: the mock responds 404 at these addresses. */
export function openControl(): Promise<undefined> {
  return Promise.resolve(undefined);
}
