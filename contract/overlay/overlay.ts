import { JSONPathEnvironment } from 'json-p3';
import type { SourceText } from '../diagnostic/origin.ts';
import { documentError, messageOf } from '../document/contract-error.ts';
import { readSoundText, renderTextIssue } from '../text/text.ts';
import { renderFragment } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  maximumDepth,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import type { Location, Overlay, OverlayAction } from './action.ts';

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
  return {
    text,
    source,
    actions: actions.map((action, index) => readAction(action, index, refuse)),
  };
}

function readAction(
  action: JsonValue,
  index: number,
  refuse: (tokens: Tokens, reason: string) => never,
): OverlayAction {
  const at = ['actions', index];
  if (!isJsonObject(action)) return refuse(at, 'must be an object');
  const { target, update, remove = false } = action;
  if (typeof target !== 'string')
    return refuse([...at, 'target'], 'must be a JSONPath query, as in `$.paths`');
  if (typeof remove !== 'boolean') return refuse([...at, 'remove'], 'must be true or false');
  if (!remove && update === undefined) return refuse(at, 'has neither `update` nor `remove: true`');
  const find = compileTarget(target, (reason) => refuse([...at, 'target'], reason));
  return { pointer: renderFragment(at), find, change: remove ? 'remove' : { update } };
}

/** What is used of the package, in the terms of this project. */
interface PathEnvironment {
  compile(path: string): {
    query(value: unknown): Iterable<{ readonly location: Location }>;
  };
}

function compileTarget(target: string, refuse: (reason: string) => never) {
  const environment: PathEnvironment = new JSONPathEnvironment({ maxRecursionDepth: maximumDepth });
  try {
    const query = environment.compile(target);
    return (document: JsonObject): readonly Location[] =>
      [...query.query(document)].map(({ location }) => location);
  } catch (cause) {
    return refuse(`is no JSONPath query (RFC 9535): ${messageOf(cause)}`);
  }
}
