import { codec, type Codec } from '../../contract/index.ts';

/** A text of at most so many characters. */
export function textWithin(most: number): Codec<string> {
  return {
    read(value, at) {
      const text = codec.text.read(value, at);
      if (text.length <= most) return text;
      throw codec.shapeError(at, `has ${text.length} characters; at most ${most} are allowed`);
    },
    render: (value) => value,
  };
}

/** A list of at most so many entries. */
export function listWithin<T>(entry: Codec<T>, most: number): Codec<readonly T[]> {
  const all = codec.list(entry);
  return {
    read(value, at) {
      if (!Array.isArray(value) || value.length <= most) return all.read(value, at);
      throw codec.shapeError(at, `has ${value.length} entries; at most ${most} are allowed`);
    },
    render: (value) => all.render(value),
  };
}
