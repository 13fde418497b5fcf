import type { CompileContext } from '../openapi/compile-context.ts';
import type { IssueLog } from '../source/issue-log.ts';
import { appendPointer } from '../json/pointer.ts';
import { type JsonValue, renderJson } from '../json/value.ts';
import { extremeOf } from '../schema/extreme.ts';
import { possibleDefault } from '../schema/default.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import type { PageLimit, Resource } from './resource.ts';

/** Names of parameters that bound a page, without case, hyphens and underscores; best first. */
const limitNames = ['limit', 'pagesize', 'perpage', 'max', 'size', 'count'];

/** The integer query parameter that bounds a page. `named` overrules: its name, false for none. */
export function compilePageLimit(
  context: CompileContext,
  list: Operation,
  item: SchemaNode,
  named: string | false | undefined,
): PageLimit | undefined {
  const parameter =
    named === undefined
      ? findLimit(context, list, item)
      : list.parameters.find(({ name, in: place }) => place === 'query' && name === named);
  if (parameter === undefined) return undefined;
  const standard = possibleDefault(parameter.schema);
  return {
    parameter,
    minimum: limitOf(parameter, 'minimum'),
    maximum: limitOf(parameter, 'maximum'),
    default: isPageSize(standard) ? standard : undefined,
  };
}

/** `-1` and 0 mean something else than so many items, such as all of them. */
function isPageSize(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 1;
}

/** Warns of defaults that the schema allows, and that are no number of items. */
export function warnOddDefaults(issues: IssueLog, resources: readonly Resource[]): void {
  for (const { limit } of resources) {
    const schema = limit?.parameter.schema;
    const value = schema && possibleDefault(schema);
    if (schema === undefined || value === undefined || isPageSize(value)) continue;
    issues.warn(
      appendPointer(schema.pointer, 'default'),
      `a list cannot have ${renderJson(value)} items by default: the default is ignored`,
      'Write how many items a list has where nothing else is asked for, or leave the default out.',
    );
  }
}

function findLimit(
  context: CompileContext,
  list: Operation,
  item: SchemaNode,
): Parameter | undefined {
  const { properties } = item.shape();
  const integers = list.parameters.filter(
    ({ in: place, schema, name }) =>
      place === 'query' && isInteger(schema) && (name === 'limit' || !properties.has(name)),
  );
  const [best, second] = limitNames.flatMap((wanted) =>
    integers.filter(({ name }) => plain(name) === wanted),
  );
  if (best !== undefined && second !== undefined)
    context.issues.warn(
      second.pointer,
      `${second.name} looks like a page limit, and so does ${best.name}: ${best.name} is taken`,
    );
  return best;
}

function isInteger(schema: SchemaNode): boolean {
  const { types } = schema.shape();
  return types.length === 1 && types[0] === 'integer';
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

function limitOf({ schema }: Parameter, end: 'minimum' | 'maximum'): number | undefined {
  const value = extremeOf(schema, end);
  return value === undefined ? undefined : Number(value);
}
