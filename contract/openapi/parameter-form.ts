import type { DocumentNode } from '../source/node.ts';

const styles = [
  'matrix',
  'label',
  'simple',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
] as const;

/** How arrays and objects become text (OpenAPI 3.1, Style Values). */
export type ParameterStyle = (typeof styles)[number];

/** How a value is written in its place in a request. */
export interface ParameterForm {
  /** That of the document, else the default of the place; of no meaning beside `mediaType`. */
  readonly style: ParameterStyle;
  /** Each item or member is written by itself. */
  readonly explode: boolean;
  /** Characters such as `/` and `?` need no percent-encoding (RFC 3986 section 2.2). */
  readonly allowReserved: boolean;
  /** Of a query parameter: `?name=` says that it has no value. */
  readonly allowEmptyValue: boolean;
  /** The type of a parameter that is described by `content`: one text of that type. */
  readonly mediaType: string | undefined;
}

/** Where a parameter stands; another style there than these is taken as the first. */
const stylesOf: Readonly<
  Record<'query' | 'header' | 'path' | 'cookie' | 'querystring', readonly string[]>
> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  path: ['simple', 'label', 'matrix'],
  cookie: ['form'],
  querystring: ['form'],
};

/** The form of a parameter, with the defaults of OpenAPI. */
export function readParameterForm(node: DocumentNode, place: keyof typeof stylesOf): ParameterForm {
  const allowed = styles.filter((known) => stylesOf[place].includes(known));
  const usual = place === 'header' || place === 'path' ? 'simple' : 'form';
  const style = allowed.find((known) => known === node.text('style')) ?? usual;
  const content = node.get('schema') === undefined ? node.get('content')?.entries()[0] : undefined;
  return {
    style,
    explode: node.object['explode'] === undefined ? style === 'form' : node.flag('explode'),
    allowReserved: node.flag('allowReserved'),
    allowEmptyValue: node.flag('allowEmptyValue'),
    mediaType: content?.[0].split(';', 1)[0]?.trim().toLowerCase(),
  };
}
