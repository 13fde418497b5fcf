import type { Contract } from '../../contract/index.ts';
import { type Endpoint, plainEndpoint } from './endpoint.ts';
import type { Choices } from '../choice/choices.ts';
import { success } from './response/outcome.ts';

/**
 * Endpoints for the operations that a document names and does not describe, where the choices say
 * that they are served: GET on each of the question's `paths`, with a key as everywhere, answers an
 * empty list; an empty object where the path has a parameter. A path that the document describes
 * after all is left to it.
 */
export function compileUndescribed(contract: Contract, choices: Choices): readonly Endpoint[] {
  const served = choices
    .responses('undescribed-operations')
    .filter(({ choice }) => choice.id === 'served');
  const paths = served.flatMap(({ question: { details } }) => listOfTexts(details['paths']));
  return [...new Set(paths)]
    .filter((path) => contract.operations.every((operation) => operation.path !== path))
    .map((path) => serve(contract, path));
}

function serve({ operations }: Contract, path: string): Endpoint {
  const credential = operations.find((operation) => operation.credential.kind !== 'none')
    ?.credential ?? { kind: 'none' };
  const body = path.includes('{') ? '{}' : '[]';
  return {
    ...plainEndpoint(credential, true, () => success(200, body)),
    path,
    method: 'GET',
    isGuarded: credential.kind !== 'none',
  };
}

function listOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
