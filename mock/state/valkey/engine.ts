import { createHash, randomUUID } from 'node:crypto';
import type { StateEngine } from '../engine.ts';
import {
  type ConnectionTimes,
  openConnection,
  parseServerAddress,
  usualTimes,
} from './connection.ts';

/**
 * The script for all access: compare-and-set of a sandbox, which is a hash of its parts. The field
 * `version` has its version; the fields `log:0` to `log:63` have the last versions, each with the names
 * of the parts that changed. So a repeated write is applied once, and a reader gets only what it missed.
 * A version that is not in this log is of another history, such as before the server lost its data.
 *
 * Arguments: the version of the caller; the next version (empty: only read); the parts to set, a line
 * for each name and each text; the parts to remove, a line for each name. Changes are returned in the
 * same form: one long text takes a tenth of the time of 100,000 short ones.
 */
const source = `
local key, mine, next, put, gone = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local version = redis.call('HGET', key, 'version') or ''
local function field(number) return 'log:' .. string.format('%.0f', number % 64) end
local function numberOf(version) return tonumber(string.match(version, '^%d+')) end
local function joined(list, mark) return table.concat(list, mark) .. mark end
local function isKnown(wanted)
  if wanted == '' then return false end
  local logged = redis.call('HGET', key, field(numberOf(wanted)))
  return logged and string.sub(logged, 1, #wanted + 1) == wanted .. '\\t'
end
local function whole()
  return { 'whole', version, joined(redis.call('HGETALL', key), '\\n'), '' }
end
if version ~= '' and not numberOf(version) then return redis.error_reply('PETSTORE version') end
if next ~= '' then
  if isKnown(next) then return { 'written' } end
  if version ~= mine then return { 'conflict' } end
  local names, some = { next }, {}
  for name, text in string.gmatch(put, '([^\\n]*)\\n([^\\n]*)\\n') do
    names[#names + 1] = name
    some[#some + 1] = name
    some[#some + 1] = text
    if #some == 1000 then
      redis.call('HSET', key, unpack(some))
      some = {}
    end
  end
  if #some > 0 then redis.call('HSET', key, unpack(some)) end
  for name in string.gmatch(gone, '([^\\n]*)\\n') do
    names[#names + 1] = name
    redis.call('HDEL', key, name)
  end
  if #names > 1000 then names = { next, '*' } end
  redis.call('HSET', key, 'version', next, field(numberOf(next)), joined(names, '\\t'))
  return { 'written' }
end
if version == '' or not isKnown(mine) then return whole() end
local seen, set, left = {}, {}, {}
for number = numberOf(mine) + 1, numberOf(version) do
  local logged = redis.call('HGET', key, field(number))
  for name in string.gmatch(string.match(logged, '\\t(.*)$'), '([^\\t]*)\\t') do
    if name == '*' then return whole() end
    local text = not seen[name] and redis.call('HGET', key, name)
    if text then
      set[#set + 1] = name
      set[#set + 1] = text
    elseif not seen[name] then
      left[#left + 1] = name
    end
    seen[name] = true
  end
end
return { 'changes', version, joined(set, '\\n'), joined(left, '\\n') }
`;

/** The server caches the script by this digest. */
const digest = createHash('sha1').update(source).digest('hex');

export interface ValkeyOptions {
  /** Called with notices for the user, a sentence each. */
  readonly notify?: (notice: string) => void;
  readonly times?: ConnectionTimes;
}

/**
 * Connects to a server, `valkey://host:6379`. Each sandbox has its own key, which many processes share.
 *
 * @throws {PetstoreError} with code `state` if it cannot be reached, or refuses a command
 */
export async function openValkeyEngine(
  address: string,
  { notify = () => undefined, times = usualTimes }: ValkeyOptions = {},
): Promise<StateEngine> {
  const server = parseServerAddress(address);
  const { prefix, shown } = server;
  const connection = await openConnection(server, times);
  /** The text in braces selects the server of a cluster. */
  const keyOf = (sandbox: string): string => `${prefix}:{${sandbox}}:state`;
  /** A text that the server keeps as long as it keeps its data. */
  let knownEpoch: string | undefined;

  /** Detects that the server lost its data: instances read what it has now, and the user gets one notice. */
  const checkEpoch = async (): Promise<void> => {
    const key = `${prefix}:epoch`;
    await connection.send(key, ['SET', key, randomUUID(), 'NX']);
    const epoch = String(await connection.send(key, ['GET', key]));
    if (knownEpoch !== undefined && knownEpoch !== epoch)
      notify(`${shown} lost its data. Sandboxes start again from what it has now.`);
    knownEpoch = epoch;
  };

  /** Runs the script by its digest, and by its source if the server does not know it. */
  const run = async (sandbox: string, ...rest: readonly string[]): Promise<readonly string[]> => {
    const key = keyOf(sandbox);
    const words = ['1', key, ...rest, '', '', ''].slice(0, 6);
    const reply = await connection.send(
      key,
      ['EVALSHA', digest, ...words],
      ['EVAL', source, ...words],
    );
    if (!Array.isArray(reply)) throw new TypeError('The script returned no list.');
    return reply.map(String);
  };

  const engine: StateEngine = {
    async read(sandbox, after) {
      const [kind, version = '', put = '', gone = ''] = await run(sandbox, after ?? '');
      const isWhole = kind === 'whole';
      if (isWhole) await checkEpoch();
      const parts = new Map<string, string | undefined>();
      const lines = linesOf(put);
      for (let index = 0; index + 1 < lines.length; index += 2) {
        const name = lines[index] ?? '';
        if (name !== 'version' && !name.startsWith('log:')) parts.set(name, lines[index + 1]);
      }
      for (const name of linesOf(gone)) if (name !== '') parts.set(name, undefined);
      return { version: version === '' ? undefined : version, isWhole, parts };
    },
    async write({ sandbox, after, next, parts }) {
      let [put, gone] = ['', ''];
      for (const [name, text] of parts)
        if (text === undefined) gone += `${name}\n`;
        else put += `${name}\n${text}\n`;
      const [kind] = await run(sandbox, after ?? '', next, put, gone);
      return kind === 'written';
    },
    async forget(sandbox) {
      await connection.send(keyOf(sandbox), ['DEL', keyOf(sandbox)]);
    },
    async list() {
      const [start = '', end = ''] = keyOf('*').split('*');
      const pattern = `${start.replace(/[\\*?[\]]/g, '\\$&')}*${end}`;
      const keys = await connection.scan(pattern);
      return keys.map((key) => key.slice(start.length, -end.length));
    },
    close: () => connection.close(),
  };
  try {
    for (const info of await connection.readInfo())
      for (const notice of findRisks(info, shown)) notify(notice);
    // Reports replicas, and servers that run no scripts. This also sets the epoch.
    await checkEpoch();
    await engine.read('main', undefined);
    return engine;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Warnings about data that the server may lose, from its `INFO`. */
function findRisks(info: string, shown: string): readonly string[] {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const notices: string[] = [];
  if (valueOf('aof_enabled') === '0')
    notices.push(
      `${shown} has no append-only file, so a restart loses acknowledged changes. Set appendonly yes.`,
    );
  const policy = valueOf('maxmemory_policy');
  if (policy?.startsWith('allkeys-') === true && valueOf('maxmemory') !== '0')
    notices.push(
      `${shown} evicts keys when its memory is full (${policy}). Set maxmemory-policy noeviction.`,
    );
  return notices;
}

function linesOf(text: string): readonly string[] {
  return text.slice(0, -1).split('\n');
}
