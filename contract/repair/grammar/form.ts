/** What a value of a document is to be. */
export type Form =
  /** Any value: examples, defaults, extensions. */
  | { readonly kind: 'data' }
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number' }
  | { readonly kind: 'list'; readonly of: Form }
  | { readonly kind: 'map'; readonly of: Form }
  /** An object of OpenAPI by its name, such as `Response`. */
  | { readonly kind: 'object'; readonly name: string };

/** `[Parameter]` is a list, `{Response}` a map; small letters are plain values. */
export function parseForm(text: string): Form {
  if (text.startsWith('[')) return { kind: 'list', of: parseForm(text.slice(1, -1)) };
  if (text.startsWith('{')) return { kind: 'map', of: parseForm(text.slice(1, -1)) };
  if (text === 'data' || text === 'text' || text === 'flag' || text === 'number')
    return { kind: text };
  return { kind: 'object', name: text };
}

/** In words that follow "must be". */
export function describeForm(form: Form): string {
  if (form.kind === 'data') return 'a value';
  if (form.kind === 'text') return 'a text';
  if (form.kind === 'flag') return 'true or false';
  if (form.kind === 'number') return 'a number';
  if (form.kind === 'list') return 'an array';
  return 'an object';
}
