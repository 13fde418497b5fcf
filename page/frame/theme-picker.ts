import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { type Theme, applyTheme, readTheme } from '../session/theme.ts';

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' };

/** A button that goes through the themes. */
export function ThemePicker(): Html {
  const [theme, setTheme] = useState(readTheme);
  const change = (): void => {
    applyTheme(next[theme]);
    setTheme(next[theme]);
  };
  return html`<button type="button" class="quiet" onClick=${change} aria-label=${`Theme: ${theme}`} title=${`Theme: ${theme}`}>
    <span aria-hidden="true">${signs[theme]}</span>
  </button>`;
}
