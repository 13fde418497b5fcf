import type { OperationRow } from '../measure/answers.ts';
import type { DocumentResult } from '../measure/result.ts';
import { isJudged, isLawful, isSuccess } from './figures.ts';
import { firstWords, refusalWords } from './refusal-words.ts';

/** The part of the project that a cause points at. */
export type Area = 'load' | 'request' | 'security' | 'state' | 'sample' | 'crash' | 'conform';

/** Like troubles of any documents. */
export interface Cause {
  readonly area: Area;
  readonly words: string;
  readonly count: number;
  /** Documents with it, each with the first place where it shows. */
  readonly documents: ReadonlyMap<string, string>;
}

interface Trouble {
  readonly area: Area;
  readonly words: string;
  readonly id: string;
  /** An operation, a collection; empty for the whole document. */
  readonly place: string;
  readonly count?: number;
}

/** The causes of everything that is not as it should be, the most frequent first. */
export function listCauses(results: readonly DocumentResult[]): readonly Cause[] {
  const groups = Map.groupBy(results.flatMap(troublesOf), ({ area, words }) => `${area} ${words}`);
  return [...groups.values()]
    .flatMap((troubles) => {
      const [first] = troubles;
      if (first === undefined) return [];
      const documents = new Map<string, string>();
      for (const { id, place } of troubles) if (!documents.has(id)) documents.set(id, place);
      const count = troubles.reduce((sum, one) => sum + (one.count ?? 1), 0);
      return [{ area: first.area, words: first.words, count, documents }];
    })
    .toSorted((one, other) => other.documents.size - one.documents.size || other.count - one.count);
}

function troublesOf(result: DocumentResult): readonly Trouble[] {
  const { id } = result;
  return [
    ...documentTroubles(result),
    ...rowTroubles(id, result.answers?.rows, ''),
    ...rowTroubles(id, result.optional?.rows, 'with optional parameters: '),
    ...(result.pairs ?? []).flatMap(({ kept, reason = '', collection }) =>
      kept ? [] : [{ area: 'state' as const, words: `pair: ${reason}`, id, place: collection }],
    ),
    ...conformTroubles(result),
  ];
}

function rowTroubles(
  id: string,
  rows: readonly OperationRow[] = [],
  prefix: string,
): readonly Trouble[] {
  return rows.filter(isLawful).flatMap((row) => {
    const trouble = rowTrouble(row);
    if (trouble === undefined) return [];
    return [{ area: trouble.area, words: prefix + trouble.words, id, place: row.operation }];
  });
}

function documentTroubles({ id, state, load, unread }: DocumentResult): readonly Trouble[] {
  const troubles: Trouble[] = [];
  if (state !== 'measured')
    troubles.push({ area: 'crash', words: `the measure ${state}`, id, place: '' });
  if (unread !== undefined)
    troubles.push({ area: 'crash', words: `not measured: ${firstWords(unread)}`, id, place: '' });
  if (load?.refusal !== undefined)
    troubles.push({
      area: 'load',
      words: loadWords(load.refusal),
      id,
      place: firstPlace(load.refusal),
    });
  return troubles;
}

/** A refusal without the file and pointer before its sentence. */
function loadWords(refusal: string): string {
  return firstWords(refusal.replace(/^petstore mock: /, '').replace(/^\S*[#:]\S*:? /, ''));
}

function firstPlace(refusal: string): string {
  return /#\/\S*[^\s:]/.exec(refusal)?.[0] ?? '';
}

/** The cause of what became of a request; undefined where it is as it should be. */
export function rowTrouble(row: OperationRow): Pick<Trouble, 'area' | 'words'> | undefined {
  const { outcome, status = 0, body, detail = '', text = '' } = row;
  if (outcome === 'no-response') return { area: 'crash', words: `no response: ${detail}` };
  if (isSuccess(row)) {
    if (!isJudged(row) || body === 'valid') return undefined;
    return { area: 'sample', words: `${body}: ${firstWords(detail)}` };
  }
  const found = outcome === 'undocumented' ? `${status} is not documented` : String(status);
  return { area: statusArea(status), words: `${found}: ${refusalWords(text)}`.replace(/: $/, '') };
}

function statusArea(status: number): Area {
  if (status === 501 || status < 400) return 'sample';
  if (status >= 500) return 'crash';
  if (status === 401 || status === 403) return 'security';
  return [404, 409, 410, 412].includes(status) ? 'state' : 'request';
}

function conformTroubles({ id, conformance }: DocumentResult): readonly Trouble[] {
  if (conformance === undefined) return [];
  const { exit, error, causes } = conformance;
  const area = 'conform';
  const ended: readonly Trouble[] =
    error === undefined
      ? []
      : [{ area, words: `exit ${exit}: ${firstWords(error)}`, id, place: '' }];
  const told = Object.entries(causes).map(([cause, count]) => ({
    area: 'conform' as const,
    ...conformWords(cause),
    id,
    count,
  }));
  return [...ended, ...told];
}

/** `failed: listPets/status.200: …` by the kind of requirement, its operation as the place. */
function conformWords(cause: string): Pick<Trouble, 'words' | 'place'> {
  const [kind = '', subject = '', ...rest] = cause.split(': ');
  const [place = '', requirement = ''] = subject.split('/');
  if (kind === 'failed')
    return {
      words: `failed: ${requirement.replaceAll(/\d+/g, 'N')}: ${firstWords(rest.join(': '))}`,
      place,
    };
  if (kind === 'never served')
    return { words: `never served: ${firstWords(rest.join(': '))}`, place };
  return { words: cause, place: '' };
}
