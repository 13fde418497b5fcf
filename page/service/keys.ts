import { useState } from 'preact/hooks';
import { html, type Html } from '../view/element.ts';
import { Select } from '../form/field-input.ts';
import { useLoaded } from '../session/hooks.ts';
import { useSession } from '../session/session.ts';

interface Keys {
  /** Undefined for no key. */
  readonly key: string | undefined;
  /** Null if the document requires no key. */
  readonly picker: Html;
}

/**
 * A select for the keys of the chosen sandbox; in `main` also no key, which has its own sandbox.
 * Undefined until loaded.
 */
export function useKeys(): Keys | undefined {
  const { mock, call, sandbox } = useSession();
  const [chosen, choose] = useState<string>();
  const { value: keys } = useLoaded(async () => {
    if (mock.keys.length === 0) return [];
    const all = (await call('getSandbox')).keys.map(({ key }) => key);
    return sandbox === 'main' && mock.ownKey !== undefined ? [...all, mock.ownKey] : all;
  }, [mock.instance, sandbox]);
  if (keys === undefined) return undefined;
  const key = chosen === '' || keys.includes(chosen ?? '') ? chosen : keys[0];
  const options = [...keys.map((one) => [one, one]), ['', 'No key']];
  const picker =
    keys.length > 0 &&
    html`<${Select} label="Key" options=${options} value=${key} onValue=${choose} />`;
  return { key: key === '' ? undefined : key, picker };
}
