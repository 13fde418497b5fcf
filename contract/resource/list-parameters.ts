import { possibleDefault, type SchemaNode, type Shape } from '../schema/schema-node.ts';
import { extremeOf } from '../schema/extreme.ts';
import { jsonEquals, type JsonValue, renderJson } from '../json/value.ts';
import { appendPointer } from '../json/pointer.ts';
import type { DiagnosticLog } from '../source/diagnostic.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { memberNamed, plainName } from './names.ts';

/** A query parameter of a list that keeps items whose property equals it. */
export interface Filter {
  readonly parameter: Parameter;
  readonly property: string;
}

/** Plain names of parameters for the page size, likeliest first. */
const sizeNames = [
  ...'limit pagesize maxpagesize perpage pagelimit maxresults maxitems itemsperpage resultsperpage'.split(
    ' ',
  ),
  ...'max size count amount top take first rows results maxcount'.split(' '),
];
/** Those of them that may mean something else: the suite does not rely on them. */
const doubtfulSizes = new Set(['amount', 'top', 'take', 'first', 'rows', 'results', 'maxcount']);
const offsetNames = ['offset', 'skip', 'startindex', 'pageoffset', 'startat', 'start', 'from'];
const pageNames = ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'p'];
const cursorNames = [
  ...'cursor pagetoken nexttoken nextpagetoken nextcursor continuationtoken'.split(' '),
  ...'startingafter after pageafter pagecursor marker continuation paginationtoken'.split(' '),
];

/** The query parameters that select a page. */
export type PageParameters = ReturnType<typeof findPageParameters>;

/** Finds the paging parameters of a list by their names and types. */
export function findPageParameters(
  { parameters }: Pick<Operation, 'parameters'>,
  isMember: (name: string) => boolean,
) {
  const find = (names: readonly string[], isCounted: boolean): Parameter | undefined => {
    const fitting = parameters.filter(
      (parameter) =>
        parameter.in === 'query' &&
        (!isCounted || !isTextParameter(parameter)) &&
        (!isMember(parameter.name) || names.indexOf(plainName(parameter.name)) < 2),
    );
    return names
      .map((name) => fitting.find((parameter) => plainName(parameter.name) === name))
      .find((found) => found !== undefined);
  };
  const [page, offset] = [find(pageNames, true), find(offsetNames, true)];
  return {
    size: find(sizeNames, true),
    offset,
    page,
    cursor: find(cursorNames, false),
    /** The number of the first page. */
    firstPage: startOf(page) === 0 ? 0 : 1,
    /** The offset of the first item: 1 for the `startIndex` of SCIM (RFC 7644 section 3.4.2.4). */
    firstOffset: startOf(offset) === 1 ? 1 : 0,
  };
}

function startOf(parameter: Parameter | undefined): JsonValue | undefined {
  const shape = parameter?.schema.shape();
  return shape?.default ?? shape?.minimum?.value;
}

/** Whether a parameter takes no number. */
export function isTextParameter({ schema }: Parameter): boolean {
  const { types } = schema.shape();
  return !types.includes('integer') && !types.includes('number');
}

export type PageLimit = NonNullable<ReturnType<typeof findPageLimit>>;

/** The query parameter that certainly limits a page. `named`: its name by `x-resource`; false: none. */
export function findPageLimit(
  list: Operation,
  isMember: (name: string) => boolean,
  named: string | false | undefined,
) {
  const parameter =
    named === undefined
      ? findPageParameters(list, isMember).size
      : list.parameters.find(({ name, in: place }) => place === 'query' && name === named);
  if (parameter === undefined || (named === undefined && isDoubtful(parameter))) return undefined;
  const { schema } = parameter;
  const standard = possibleDefault(schema);
  const limitOf = (end: 'minimum' | 'maximum'): number | undefined => {
    const value = extremeOf(schema, end);
    return value === undefined ? undefined : Number(value);
  };
  return {
    parameter,
    minimum: limitOf('minimum'),
    maximum: limitOf('maximum'),
    default: isPageSize(standard) ? standard : undefined,
  };
}

function isDoubtful({ name, schema }: Parameter): boolean {
  const { types } = schema.shape();
  return types.length !== 1 || types[0] !== 'integer' || doubtfulSizes.has(plainName(name));
}

/** `-1` and 0 usually mean all items. */
function isPageSize(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 1;
}

/**
 * The query parameters of a list that keep items by equality: those with the name and schema of a
 * property, an enum also in another case or with `_`. `named` overrules: parameter to property.
 */
export function findFilters(
  list: Operation,
  properties: Shape['properties'],
  named: Readonly<Record<string, string>> | undefined,
): readonly Filter[] {
  return list.parameters.flatMap((parameter) => {
    const { name, schema } = parameter;
    // A parameter without an enum and with a slightly different name may be a search.
    const isEnum = /^[\w-]+$/.test(name) && schema.shape().values !== undefined;
    const other = isEnum ? memberNamed(properties.keys(), [plainName(name)]) : undefined;
    const own = properties.has(name) ? name : other;
    const property = (named === undefined ? own : named[name]) ?? '';
    const node = parameter.in === 'query' ? properties.get(property) : undefined;
    const isFilter = node !== undefined && (named !== undefined || isSameSchema(node, schema));
    return isFilter ? [{ parameter, property }] : [];
  });
}

function isSameSchema(property: SchemaNode, parameter: SchemaNode): boolean {
  const [left, right] = [property.shape(), parameter.shape()];
  const types = left.types.filter((one) => one !== 'null');
  // Filters compare single texts.
  if (types.some((one) => one === 'array' || one === 'object')) return false;
  if (property.pointer === parameter.pointer) return true;
  return (
    types.length === 1 &&
    right.types.join() === types.join() &&
    jsonEquals(valuesOf(left), valuesOf(right))
  );
}

function valuesOf({ values = [] }: Shape): Shape['values'] & object {
  return values.filter((value) => value !== null);
}

/** Warns of defaults of the page size that are valid, but not a number of items. */
export function warnOddDefaults(
  issues: DiagnosticLog,
  lists: readonly { readonly limit: PageLimit | undefined }[],
): void {
  for (const { limit } of lists) {
    const schema = limit?.parameter.schema;
    const value = schema && possibleDefault(schema);
    if (schema === undefined || value === undefined || isPageSize(value)) continue;
    issues.report(
      'invalid-default',
      appendPointer(schema.pointer, 'default'),
      `a list cannot have ${renderJson(value)} items by default: the default is ignored`,
      'Write how many items a page has if the request sets no limit, or remove the default.',
    );
  }
}
