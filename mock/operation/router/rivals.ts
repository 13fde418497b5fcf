import type { Parameter } from '../../../contract/index.ts';
import { readParameterText } from '../../http/parameter-text.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { decodePercent } from '../../http/query.ts';
import type { EndpointPlace } from '../endpoint.ts';

/** Chooses among endpoints that match the same requests by the texts of the path. */
export type ChooseRival = (pathTexts: readonly string[]) => EndpointPlace;

/**
 * The first whose path parameters take the texts, those that take least before the others; else the
 * first of the document.
 */
export function compileRivals(
  first: EndpointPlace,
  endpoints: readonly EndpointPlace[],
): ChooseRival {
  let rivals: readonly Rival[] | undefined;
  return (pathTexts) => {
    rivals ??= endpoints.map(compileRival).toSorted((one, other) => other.limits - one.limits);
    return rivals.find(({ takes }) => takes(pathTexts))?.endpoint ?? first;
  };
}

interface Rival {
  readonly endpoint: EndpointPlace;
  /** How many of its parameters do not take just any text. */
  readonly limits: number;
  readonly takes: (pathTexts: readonly string[]) => boolean;
}

function compileRival(endpoint: EndpointPlace): Rival {
  const { names } = parsePathTemplate(endpoint.path);
  const parameters = (endpoint.operation?.parameters ?? []).filter(({ in: at }) => at === 'path');
  return {
    endpoint,
    limits: parameters.filter((parameter) => !takes(parameter, 'any text')).length,
    takes: (pathTexts) =>
      parameters.every((parameter) => takes(parameter, pathTexts[names.indexOf(parameter.name)])),
  };
}

function takes({ schema }: Parameter, text: string | undefined): boolean {
  const plain = text === undefined ? undefined : decodePercent(text);
  const value = plain === undefined ? undefined : readParameterText(plain, schema.shape());
  return value !== undefined && schema.validate(value).length === 0;
}
