import type { SchemaNode } from '../schema/schema-node.ts';
import type { DocumentNode } from '../source/node.ts';
import type { DiagnosticLog } from '../source/diagnostic-log.ts';

/** What the compilers of the parts of a document share. */
export interface CompileContext {
  readonly root: DocumentNode;
  readonly issues: DiagnosticLog;
  /**
   * When examples are judged: at once, or each when it is first used; those of a document that passed
   * before are taken to fit.
   */
  readonly judges: 'trusted' | 'at once' | 'when used';
  /** The schema at a pointer, its `$ref` followed; undefined, and an error logged, if broken. */
  readonly schema: (pointer: string) => SchemaNode | undefined;
}

/** Reports items with the same text for a member as one before them. */
export function reportRepeated(
  { issues }: CompileContext,
  items: readonly DocumentNode[],
  member: 'id' | 'name',
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const text = item.text(member);
    if (text === undefined) continue;
    if (seen.has(text)) issues.misuse(item.at(member), `the ${member} ${text} is taken`);
    seen.add(text);
  }
}
