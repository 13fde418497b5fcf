import type { Contract } from '../../contract/contract.ts';
import { type EndpointPlace, plainEndpoint, usualSecurity } from './endpoint.ts';
import type { Choices } from '../choice/choices.ts';
import { success } from './response/outcome.ts';

/**
 * Endpoints for operations that a document names and does not describe, where choices serve them:
 * GET on the question's `paths` answers an empty list, or an object where the path has a parameter.
 */
export function compileUndescribed(choices: Choices): readonly EndpointPlace[] {
  const { contract } = choices;
  const served = choices
    .answersTo('undescribed-operations')
    .filter(({ choice }) => choice.id === 'served');
  const paths = served.flatMap(({ question: { details } }) => listOfTexts(details['paths']));
  const described = new Set(contract.operations.map(({ path }) => path));
  return [...new Set(paths)]
    .filter((path) => !described.has(path))
    .map((path) => serve(contract, path));
}

function serve(contract: Contract, path: string): EndpointPlace {
  const security = usualSecurity(contract);
  const body = path.includes('{') ? '{}' : '[]';
  const endpoint = {
    ...plainEndpoint(security, true, () => success(200, body)),
    path,
    method: 'GET',
    isGuarded: security.length > 0,
  };
  return { operation: undefined, path, method: 'GET', open: () => endpoint };
}

function listOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
