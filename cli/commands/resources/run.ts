import { renderJson } from '../../../contract/index.ts';
import { argumentError } from '../../io/command-failure.ts';
import { createCommand } from '../../io/command.ts';
import { documentFlags } from '../../io/document-flags.ts';
import type { CommandForm } from '../../io/flags.ts';
import { loadChosenContract } from '../../package/bundled.ts';
import { describeResources } from './description.ts';
import { show, showJsonText } from '../../../view/visible.ts';
import { renderResources } from './text.ts';

const form = {
  name: 'resources',
  takes: '<document> [options]',
  about: [
    'Tells which collections of items an OpenAPI document seems to have: the role of each operation, what speaks for it, where items and ids stand in responses; and what has no role, and why. The mock keeps items by this. x-resource in the document overrules it.',
  ],
  flags: { ...documentFlags, json: { help: 'Writes JSON.' } },
  exits: '0 told, 2 the document cannot be read',
  readsForeignFiles: true,
} satisfies CommandForm;

/** `petstore resources`: what is inferred of a document, with the evidence. */
export const runResources = createCommand(form, async ({ values, words }, { stdout }) => {
  const [file, ...others] = words;
  if (file === undefined || others.length > 0)
    throw argumentError('petstore resources takes one document. See petstore resources --help.');
  const description = describeResources(await loadChosenContract(file, values));
  stdout.write(
    values.json
      ? show`${showJsonText(renderJson(asJson(description), 2))}\n`
      : renderResources(description),
  );
  return 0;
});

/** Without members that are undefined. */
function asJson(value: object) {
  return JSON.parse(JSON.stringify(value));
}
