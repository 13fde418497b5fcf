import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { loadDefinitions } from '../../cli/main.ts';
import { composeConfigSchema } from './config-schema.ts';

test('the schema says what the command does', async () => {
  const validate = new Ajv2020().compile(composeConfigSchema(await loadDefinitions()));
  const sound = { strict: true, mock: { port: 0, log: 'json', limit: { 'free.minute': 5 } } };
  const secret = { conform: { apiKey: { env: 'KEY' }, only: ['auth'], categoryId: 7 } };
  for (const config of [{}, sound, secret, { mock: { limit: ['free.minute=5'] } }])
    expect([config, validate(config)]).toEqual([config, true]);
  const wrong = [
    { mok: {} },
    { mock: { prot: 1 } },
    { mock: { port: '1' } },
    { mock: { port: 65_536 } },
    { mock: { log: 'xml' } },
    { conform: { apiKey: {} } },
  ];
  for (const config of wrong) expect([config, validate(config)]).toEqual([config, false]);
});
