import { encodePathText, withoutQuery } from '../../../contract/openapi/path-pattern.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Operation } from '../../../contract/openapi/operation.ts';
import type { Parameter } from '../../../contract/openapi/parameter.ts';
import { UnsendableRequest } from './unsendable.ts';
import { validParameterValue } from './valid-value.ts';
import {
  renderCookieParameter,
  renderHeaderParameter,
  renderPathParameter,
  renderQueryParameter,
  renderQueryString,
} from './render.ts';

/** What a request says of the parameters of its operation. */
export interface ParameterChoice {
  /** Values of path parameters by name, as texts. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Values of query parameters by name, as texts. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Values of parameters of any place. */
  readonly values?: ReadonlyMap<Parameter, JsonValue> | undefined;
  /** A required parameter that is left out on purpose. */
  readonly without?: Parameter | undefined;
}

/**
 * Path and query of a request; required parameters that it does not name get a valid value.
 * @throws {UnsendableRequest} where no value of one is valid
 */
export function renderTarget(operation: Operation, choice: ParameterChoice): string {
  // Values are encoded already.
  const path = withoutQuery(operation.path).replace(
    /\{([^{}]+)\}|[^{}]+/g,
    (text, name?: string) => {
      if (name === undefined) return encodePathText(text);
      const parameter = operation.parameters.find(
        (each) => each.in === 'path' && each.name === name,
      );
      const value = parameter && (choice.values?.get(parameter) ?? choice.path?.[name]);
      if (parameter === undefined) return encodeURIComponent(choice.path?.[name] ?? '');
      return renderPathParameter(parameter, value ?? validParameterValue(parameter) ?? '');
    },
  );
  const named = new URLSearchParams(choice.query).toString();
  const others = sent(operation, 'query', choice).map(([parameter, value]) =>
    renderQueryParameter(parameter, value),
  );
  const whole = sent(operation, 'querystring', choice).map(([parameter, value]) =>
    renderQueryString(parameter, value),
  );
  const query = [named, ...others, ...whole].filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

/**
 * The headers that carry parameters, names in lower case: those that a request names or must have.
 * @throws {UnsendableRequest}
 */
export function renderParameterHeaders(
  operation: Operation,
  choice: ParameterChoice,
): Readonly<Record<string, string>> {
  const fields = sent(operation, 'header', choice).map(([parameter, value]) => [
    parameter.name.toLowerCase(),
    renderHeaderParameter(parameter, value),
  ]);
  const cookies = sent(operation, 'cookie', choice).map(([parameter, value]) =>
    renderCookieParameter(parameter, value),
  );
  return {
    ...Object.fromEntries(fields),
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
  };
}

function sent(
  { parameters, security }: Operation,
  place: Parameter['in'],
  { query, values, without }: ParameterChoice,
): readonly (readonly [Parameter, JsonValue])[] {
  return parameters.flatMap((parameter) => {
    if (parameter.in !== place || parameter === without) return [];
    if (isCredentialOf(security, parameter)) return [];
    if (place === 'query' && query?.[parameter.name] !== undefined) return [];
    const given = values?.get(parameter);
    if (given === undefined && !parameter.required) return [];
    const value = given ?? validParameterValue(parameter);
    if (value !== undefined) return [[parameter, value] as const];
    throw new UnsendableRequest(`the ${place} parameter ${parameter.name} has no valid value`);
  });
}

/** Some documents describe a key as a parameter as well: it goes with the credential. */
function isCredentialOf(security: Operation['security'], { name, in: place }: Parameter): boolean {
  return security
    .flat()
    .some(
      (scheme) =>
        scheme.kind === 'api-key' &&
        scheme.in === place &&
        scheme.name.toLowerCase() === name.toLowerCase(),
    );
}
