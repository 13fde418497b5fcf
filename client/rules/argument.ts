import { decodePercent } from '../../contract/source/percent.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { Parameter } from '../../contract/openapi/parameter.ts';
import { readParameterText } from '../../mock/index.ts';
import { matchTemplate } from '../log/request-target.ts';
import type { Entry } from './evidence.ts';

/** The texts that a request has for a parameter, decoded; empty where it has none. */
export function readTexts(
  { request, operation }: Entry,
  { in: place, name }: Parameter,
): readonly string[] {
  const [path = '', query = ''] = request.target.split('?');
  switch (place) {
    case 'querystring':
      return query === '' ? [] : [query];
    case 'query':
      return new URLSearchParams(query).getAll(name);
    case 'path':
      return readPath(operation?.path ?? '', path, name);
    case 'header':
      return request.headers.flatMap(([each, value]) =>
        each.toLowerCase() === name.toLowerCase() ? [value] : [],
      );
    case 'cookie':
      return request.headers.flatMap(([each, value]) =>
        each.toLowerCase() === 'cookie' ? readCookie(value, name) : [],
      );
  }
}

/** The value of a parameter's texts (OpenAPI: style `form`, exploded); undefined for none. */
export function readValue(texts: readonly string[], { schema }: Parameter): JsonValue | undefined {
  const shape = schema.shape();
  const [text, ...more] = texts;
  if (shape.types.includes('array') && !shape.types.includes('string')) {
    const items = texts.map((each) =>
      shape.items === undefined ? each : readParameterText(each, shape.items.shape()),
    );
    return items.includes(undefined) ? undefined : items.filter((item) => item !== undefined);
  }
  return text === undefined || more.length > 0 ? undefined : readParameterText(text, shape);
}

function readPath(template: string, path: string, name: string): readonly string[] {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]);
  const text = matchTemplate(template, path)?.[names.indexOf(name)];
  return text === undefined ? [] : [decodePercent(text) ?? text];
}

function readCookie(header: string, name: string): readonly string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}
