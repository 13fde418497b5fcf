import type { Operation } from '../openapi/operation.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { plainName } from './names.ts';

const sizeNames =
  listWords(`limit pagesize perpage pagelimit maxresults maxitems itemsperpage resultsperpage
  top take first rows max count size maxcount`);
const offsetNames = ['offset', 'skip', 'startindex', 'pageoffset', 'startat', 'start', 'from'];
const pageNames = ['page', 'pagenumber', 'pageno', 'pageindex', 'currentpage', 'p'];
const cursorNames = listWords(`cursor pagetoken nexttoken nextpagetoken nextcursor continuationtoken
  startingafter after pageafter pagecursor marker continuation paginationtoken`);

/** How the query of a list asks for one part of the items. */
export interface PageParameters {
  readonly size: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: Parameter | undefined;
  readonly cursor: Parameter | undefined;
  /** The number of the first page. */
  readonly firstPage: number;
}

/** Finds the paging parameters of a list by their names and types. */
export function findPageParameters(
  { parameters }: Operation,
  isMember: (name: string) => boolean,
): PageParameters {
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
  const page = find(pageNames, true);
  const shape = page?.schema.shape();
  const isZero = shape?.default === 0 || shape?.minimum?.value === 0;
  return {
    size: find(sizeNames, true),
    offset: find(offsetNames, true),
    page,
    cursor: find(cursorNames, false),
    firstPage: isZero ? 0 : 1,
  };
}

/** True for a parameter that takes no number. */
export function isTextParameter({ schema }: Parameter): boolean {
  const { types } = schema.shape();
  return !types.includes('integer') && !types.includes('number');
}

function listWords(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
