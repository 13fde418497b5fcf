import { type ConstantParameter, listConstants } from '../../../contract/openapi/operation.ts';
import { decodePercent } from '../../../contract/source/percent.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { headerText, type RequestHeaders } from '../../http/message.ts';
import { readParameterText } from '../../http/parameter-text.ts';
import { parsePathTemplate } from '../../http/path-template.ts';
import { queryValues } from '../../http/query.ts';
import type { EndpointPlace } from '../endpoint.ts';

/** What distinguishes endpoints of one method and path. */
export interface RivalRequest {
  readonly pathTexts: readonly string[];
  readonly query: string;
  readonly headers: RequestHeaders;
}

/** Chooses among endpoints of one method and path. */
export type ChooseRival = (request: RivalRequest) => EndpointPlace;

/**
 * The first whose path parameters take the texts and whose constant headers and query parameters are
 * there, those that take least before the others; else the first of the document.
 */
export function compileRivals(
  first: EndpointPlace,
  endpoints: readonly EndpointPlace[],
): ChooseRival {
  let rivals: readonly Rival[] | undefined;
  return (request) => {
    rivals ??= endpoints.map(compileRival).toSorted((one, other) => other.limits - one.limits);
    return rivals.find(({ takes }) => takes(request))?.endpoint ?? first;
  };
}

interface Rival {
  readonly endpoint: EndpointPlace;
  /** How many of its parameters do not take just any text. */
  readonly limits: number;
  readonly takes: (request: RivalRequest) => boolean;
}

function compileRival(endpoint: EndpointPlace): Rival {
  const { names } = parsePathTemplate(endpoint.path);
  const { operation } = endpoint;
  const parameters = (operation?.parameters ?? []).filter(({ in: at }) => at === 'path');
  const constants = operation === undefined ? [] : listConstants(operation);
  return {
    endpoint,
    limits:
      constants.length + parameters.filter((parameter) => !takes(parameter, 'any text')).length,
    takes: (request) =>
      constants.every((constant) => holds(constant, request)) &&
      parameters.every((parameter) =>
        takes(parameter, request.pathTexts[names.indexOf(parameter.name)]),
      ),
  };
}

function holds(
  { in: place, name, value }: ConstantParameter,
  { query, headers }: RivalRequest,
): boolean {
  return place === 'query'
    ? queryValues(query, name).includes(value)
    : headerText(headers, name.toLowerCase()) === value;
}

function takes({ schema }: Parameter, text: string | undefined): boolean {
  const plain = text === undefined ? undefined : decodePercent(text);
  const value = plain === undefined ? undefined : readParameterText(plain, schema.shape());
  return value !== undefined && schema.validate(value).length === 0;
}
