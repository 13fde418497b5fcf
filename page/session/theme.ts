/** `system`: as the system asks for. */
export type Theme = 'system' | 'light' | 'dark';

const name = 'theme';

/** The theme that was chosen in this browser. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(name);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** True where the system asks for dark pages. */
export function isSystemDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Shows the page in a theme, from now on. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  localStorage.setItem(name, theme);
}
