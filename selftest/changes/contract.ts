import { loadContract } from '../../contract/load.ts';
import { renderJson, type JsonObject } from '../../contract/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import { mergePatch } from '../../mock/items/actions/merge-patch.ts';

const schemas = '#/components/schemas';
const headers = Object.fromEntries(
  ['Limit', 'Remaining', 'Reset'].map((name) => [
    `X-RateLimit-${name}`,
    { $ref: `#/components/headers/RateLimit${name}` },
  ]),
);
const pet = {
  description: 'The pet as it is now.',
  headers,
  content: { 'application/json': { schema: { $ref: `${schemas}/Pet` } } },
};
const refusals = {
  401: { $ref: '#/components/responses/Unauthorized' },
  404: { $ref: '#/components/responses/NotFound' },
  429: { $ref: '#/components/responses/TooManyRequests' },
};
const badRequest = { $ref: '#/components/responses/BadRequest' };
const petId = {
  name: 'petId',
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
};

function bodyOf(schema: string): JsonObject {
  const content = { 'application/json': { schema: { $ref: `${schemas}/${schema}` } } };
  return { required: true, content };
}

/** What is added to `openapi.yaml`, as a merge patch (RFC 7396). */
const additions: JsonObject = {
  paths: {
    '/pets/{petId}': {
      put: {
        operationId: 'replacePet',
        summary: 'Replace a pet',
        parameters: [petId],
        requestBody: bodyOf('NewPet'),
        responses: { 200: pet, 400: badRequest, ...refusals },
      },
      patch: {
        operationId: 'updatePet',
        summary: 'Change some members of a pet',
        parameters: [petId],
        requestBody: bodyOf('PetChange'),
        responses: { 200: pet, 400: badRequest, ...refusals },
      },
      delete: {
        operationId: 'removePet',
        summary: 'Remove a pet',
        parameters: [petId],
        responses: { 204: { description: 'The pet is removed.', headers }, ...refusals },
      },
    },
  },
  components: {
    schemas: {
      PetChange: {
        description: 'The members to change. None of them is required.',
        type: 'object',
        properties: {
          name: { $ref: `${schemas}/NewPet/properties/name` },
          categoryId: { $ref: `${schemas}/NewPet/properties/categoryId` },
          status: { $ref: `${schemas}/PetStatus` },
        },
      },
    },
  },
};

/** The contract of a Petstore in which pets are replaced, updated and removed too. */
export async function withChanges({ document }: Contract): Promise<Contract> {
  const text = renderJson(mergePatch(document, additions));
  return await loadContract({ text, name: 'openapi.yaml with changes' });
}
