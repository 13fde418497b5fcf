/**
 * What code that runs in Node uses of Preact. The package's own types bring those of a browser's
 * globals with them, which are not Node's; `page/` is checked with them.
 */
export interface VNode {
  readonly type: unknown;
  readonly props: unknown;
}
export type ComponentChild = VNode | string | number | bigint | boolean | null | undefined;
export type ComponentChildren = ComponentChild | readonly ComponentChildren[];

export function h(type: unknown, props: unknown, ...children: ComponentChildren[]): VNode;
