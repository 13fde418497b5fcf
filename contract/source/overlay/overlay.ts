import type { SourceText } from '../origin.ts';
import { documentError } from '../contract-error.ts';
import { readSoundText, renderTextIssue } from '../text.ts';
import { renderFragment } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Overlay, OverlayAction } from './action.ts';
import { createTargetCompiler } from './target/target.ts';

type Tokens = readonly (string | number)[];

/** Reads an OpenAPI Overlay 1.0. Throws a ContractError, with the place, for anything else. */
export async function readOverlay(text: string, name: string): Promise<Overlay> {
  const { value, locate } = await readSoundText(text, name);
  const source: SourceText = { name, locate };
  const refuse = (tokens: Tokens, reason: string): never => {
    const place = locate(tokens.map(String));
    throw documentError(name, renderTextIssue({ reason, place }), {
      pointer: renderFragment(tokens),
    });
  };
  const { overlay: version, actions } = value;
  if (typeof version !== 'string' || !/^1\.0\.\d+$/.test(version))
    refuse(['overlay'], 'is no version of OpenAPI Overlay that is known: write `overlay: 1.0.0`');
  if (!isJsonArray(actions) || actions.length === 0)
    return refuse(['actions'], 'must be a list of actions');
  const compile = createTargetCompiler();
  return {
    text,
    source,
    actions: actions.map((action, index) => readAction(action, index, compile, refuse)),
  };
}

function readAction(
  action: JsonValue,
  index: number,
  compile: ReturnType<typeof createTargetCompiler>,
  refuse: (tokens: Tokens, reason: string) => never,
): OverlayAction {
  const at = ['actions', index];
  if (!isJsonObject(action)) return refuse(at, 'must be an object');
  const { target, update, remove = false } = action;
  if (typeof target !== 'string')
    return refuse([...at, 'target'], 'must be a JSONPath query, as in `$.paths`');
  if (typeof remove !== 'boolean') return refuse([...at, 'remove'], 'must be true or false');
  if (!remove && update === undefined) return refuse(at, 'has neither `update` nor `remove: true`');
  const find = compile(target, (reason) => refuse([...at, 'target'], reason));
  return { pointer: renderFragment(at), find, change: remove ? 'remove' : { update } };
}
