import { createHash } from 'node:crypto';

/** A script that the server runs as one step, with the keys of one sandbox. */
export interface Script {
  readonly source: string;
  /** SHA-1 of the source, by which the server remembers it. */
  readonly digest: string;
}

/**
 * Keys of a sandbox, in the order that every script takes them. The part in braces puts them in one
 * slot of a cluster.
 *
 * - `state`: hash of `version`, of the version that the snapshot stands for (`base`), and `snapshot`
 * - `changes`: list of the changes after `base`
 * - `writers`: hash of the last append of each engine: its number, the version after it, the second
 * - `forgotten`: where the versions of a forgotten sandbox go on, for some weeks
 */
export function keysOf(prefix: string, sandbox: string): readonly string[] {
  return ['state', 'changes', 'writers', 'forgotten'].map(
    (part) => `${prefix}:{${sandbox}}:${part}`,
  );
}

/** The pattern of the keys `state`, and the name of the sandbox of one. */
export const stateKeys = {
  pattern: (prefix: string): string => `${prefix.replace(/[\\*?[\]]/g, '\\$&')}:{*}:state`,
  sandboxOf: (key: string): string => key.slice(key.indexOf('{') + 1, key.lastIndexOf('}')),
};

/** How long the version of a forgotten sandbox is known: 30 days. */
const forgottenSeconds = 30 * 24 * 60 * 60;

/** How long it is known that an engine has appended; an append is tried again for less. */
const writerSeconds = 3600;

const common = `
local state, list, writers, forgotten = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local kept = redis.call('HMGET', state, 'version', 'base')
local version = tonumber(kept[1] or redis.call('GET', forgotten) or '0')
local base = tonumber(kept[2] or version)
local function text(number) return string.format('%.0f', number) end
local function whole()
  return { 'whole', text(version), redis.call('HGET', state, 'snapshot'), redis.call('LRANGE', list, 0, -1) }
end
local function after(from)
  if from < base or from > version then return whole() end
  return { 'changes', text(version), redis.call('LRANGE', list, from - base, -1) }
end
`;

/** The version, which changes come after it. For -1, the whole. */
export const readScript = compileScript(`${common}
return after(tonumber(ARGV[1]))
`);

/**
 * The version that the changes follow, the name of the engine, the number of its append, and the
 * changes. The same append sent twice is done once.
 */
export const appendScript = compileScript(`${common}
local expected, writer, number = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local last = redis.call('HGET', writers, writer)
if last then
  local lastNumber, lastVersion = string.match(last, '^(%d+) (%d+)')
  if lastNumber == number then return { 'appended', lastVersion } end
end
if expected ~= version then return after(expected) end
local length = redis.call('LLEN', list)
if length ~= version - base then
  return redis.error_reply('PETSTORE the changes of a sandbox are not complete')
end
for index = 4, #ARGV do redis.call('RPUSH', list, ARGV[index]) end
version = version + #ARGV - 3
redis.call('HSET', state, 'version', text(version), 'base', text(base))
redis.call('HSET', writers, writer, number .. ' ' .. text(version) .. ' ' .. redis.call('TIME')[1])
return { 'appended', text(version) }
`);

/** The version that a snapshot stands for, and the snapshot. */
export const compactScript = compileScript(`${common}
local at = tonumber(ARGV[1])
if at <= base or at > version then return { 'late' } end
redis.call('HSET', state, 'base', text(at), 'snapshot', ARGV[2])
redis.call('LTRIM', list, at - base, -1)
local now = tonumber(redis.call('TIME')[1])
local known = redis.call('HGETALL', writers)
for index = 1, #known, 2 do
  local second = tonumber(string.match(known[index + 1], '(%d+)$'))
  if second < now - ${writerSeconds} then redis.call('HDEL', writers, known[index]) end
end
return { 'compacted' }
`);

export const forgetScript = compileScript(`${common}
if not kept[1] then return { 'unknown' } end
redis.call('SET', forgotten, text(version + 1), 'EX', ${forgottenSeconds})
redis.call('DEL', state, list, writers)
return { 'forgotten' }
`);

function compileScript(source: string): Script {
  return { source, digest: createHash('sha1').update(source).digest('hex') };
}
