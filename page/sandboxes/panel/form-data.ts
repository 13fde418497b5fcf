/** What is in the fields of a form that was sent off, as texts by name. The page stays. */
export function readForm(event: Event): ReadonlyMap<string, string> {
  event.preventDefault();
  const form = event.currentTarget instanceof HTMLFormElement ? event.currentTarget : undefined;
  const fields = new Map<string, string>();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') fields.set(name, value.trim());
  return fields;
}

/** Where something is typed or chosen: its text. */
export function textOf({ currentTarget }: Event): string {
  return currentTarget instanceof HTMLInputElement ||
    currentTarget instanceof HTMLSelectElement ||
    currentTarget instanceof HTMLTextAreaElement
    ? currentTarget.value
    : '';
}

/** A whole number of at least `least`; undefined for any other text. */
export function parseWhole(text: string, least: number): number | undefined {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least ? number : undefined;
}
