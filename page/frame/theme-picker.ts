import { useState } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import { type Theme, applyTheme, isSystemDark, readTheme } from '../session/theme.ts';

/** A button that turns the page dark or light: the other of what is seen. */
export function ThemePicker(): Html {
  const [theme, setTheme] = useState(readTheme);
  const change = (): void => {
    const next = otherTheme(theme);
    applyTheme(next);
    setTheme(next);
  };
  const isDark = theme === 'system' ? isSystemDark() : theme === 'dark';
  const label = `Switch to the ${isDark ? 'light' : 'dark'} theme`;
  return html`<button type="button" class="quiet" onClick=${change} aria-label=${label} title=${label}>
    <span aria-hidden="true">${isDark ? '☀' : '☾'}</span>
  </button>`;
}

/** The theme that looks otherwise; that of the system where it does. */
function otherTheme(theme: Theme): Theme {
  const system = isSystemDark() ? 'dark' : 'light';
  if (theme !== 'system' && theme !== system) return 'system';
  return system === 'dark' ? 'light' : 'dark';
}
